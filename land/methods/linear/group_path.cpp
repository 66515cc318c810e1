#include "land/methods/linear/linear_path.h"
namespace land {
LinearPath solve_group_path(const Setting&, const Responses&) { return {}; }
}  // namespace land
