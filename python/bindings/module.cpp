// The module land._land: conversions between Python and the library, nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>

#include "bindings/commands.h"
#include "bindings/options.h"
#include "bindings/tables.h"
#include "land/error.h"
#include "land/formats/shortened_files.h"
#include "land/version.h"

namespace nb = nanobind;

NB_MODULE(_land, module) {
  // A file that is shortened while it is mapped is an error of the call that reads it, not the interpreter's end.
  land::catch_shortened_files();
  nb::exception<land::NotCertified>(module, "CertificateError", PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const land::FileNotFound& error) {
      PyErr_SetString(PyExc_FileNotFoundError, error.what());
    } catch (const land::InputError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const land::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  module.doc() = "Conversions between Python and the library.";
  module.def("version", [] { return std::string(land::version()); });
  module.def("defaults", &land::python::defaults, "Every option by its name in Python, with its default.");
  land::python::add_tables(module);
  land::python::add_commands(module);
}
