// The module land._land: conversions between Python and the library, nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <exception>

#include "bindings/commands.h"
#include "bindings/messages.h"
#include "bindings/options.h"
#include "bindings/tables.h"
#include "land/error.h"
#include "land/formats/shortened_files.h"
#include "land/version.h"

namespace nb = nanobind;

NB_MODULE(_land, module) {
  // A file that is shortened while it is mapped is an error of the call that reads it, not the interpreter's end.
  land::catch_shortened_files();
  const nb::exception<land::NotCertified> certificate_error(module, "CertificateError", PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const land::FileNotFound& error) {
      PyErr_SetString(PyExc_FileNotFoundError, land::python::in_python(error.what()).c_str());
    } catch (const land::InputError& error) {
      PyErr_SetString(PyExc_ValueError, land::python::in_python(error.what()).c_str());
    } catch (const land::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  module.doc() = "Conversions between Python and the library.";
  module.def("version", [] { return std::string(land::version()); });
  module.def("defaults", &land::python::defaults, "Every option by its name in Python, with its default.");
  module.def("in_python", &land::python::in_python, nb::arg("message"), "A message with options as keywords.");
  land::python::add_tables(module);
  land::python::add_commands(module);
}
