// The module land._land: conversions between Python and the library, nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <exception>

#include "bindings/commands.h"
#include "bindings/evaluate.h"
#include "bindings/options.h"
#include "bindings/remote.h"
#include "bindings/spelling.h"
#include "bindings/tables.h"
#include "land/base/error.h"
#include "land/base/version.h"
#include "land/files/shortened_files.h"

namespace nb = nanobind;

NB_MODULE(_land, module) {
  // A file that is shortened while it is mapped is an error of the call that reads it, not the interpreter's end.
  land::catch_shortened_files();
  const nb::exception<land::NotCertified> certificate_error(module, "CertificateError", PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const land::FileNotFound& error) {
      PyErr_SetString(PyExc_FileNotFoundError, land::python::spelled(error.what()).c_str());
    } catch (const land::InputError& error) {
      PyErr_SetString(PyExc_ValueError, land::python::spelled(error.what()).c_str());
    } catch (const land::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  module.doc() = "Conversions between Python and the library.";
  module.def("version", [] { return std::string(land::version()); });
  module.def("defaults", &land::python::defaults, "Every option by its name in Python, with its default.");
  module.def("methods", &land::python::methods_in_words, "The methods of select, with a line on each.");
  module.def("options_of", &land::python::options_of, nb::arg("command"), "The table of a command's options.");
  module.def("set_keywords", &land::python::set_keywords, nb::arg("keywords"),
             "Keywords that a function calls otherwise than land.select, by the option's key; gives those before.");
  land::python::add_tables(module);
  land::python::add_commands(module);
  land::python::add_evaluate(module);
  land::python::add_remote(module);
}
