#include "bindings/interruptible.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace nb = nanobind;

namespace land::python {
namespace {

// What the working thread tells the waiting one.
struct News {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  bool reported = false;
  std::string stage;
  double finished = 0.0;
  double total = 0.0;
  const std::function<void()>* wanted = nullptr;  // to be called with the GIL; the worker waits
  bool answered = false;
};

void call_progress(News& news, const nb::object& progress) {
  std::unique_lock lock(news.mutex);
  if (!news.reported) return;
  const std::string stage = news.stage;
  const double finished = news.finished;
  const double total = news.total;
  news.reported = false;
  lock.unlock();
  progress(stage.c_str(), finished, total);
}

void call_wanted(News& news) {
  std::unique_lock lock(news.mutex);
  if (news.wanted == nullptr) return;
  const std::function<void()>& wanted = *news.wanted;
  lock.unlock();
  wanted();
  lock.lock();
  news.wanted = nullptr;
  news.answered = true;
  news.changed.notify_all();
}

// From the worker: until the caller has called it, or will not.
void wait_for_caller(const std::function<void()>& wanted, const std::atomic<bool>& stop, News& news) {
  std::unique_lock lock(news.mutex);
  if (stop) throw Interrupted();
  news.wanted = &wanted;
  news.answered = false;
  news.changed.notify_all();
  news.changed.wait(lock, [&] { return news.answered || stop; });
  if (!news.answered) throw Interrupted();
}

}  // namespace

void run_interruptible(int threads, std::int64_t memory, const nb::object& progress,
                       const std::function<void(const Context&)>& work) {
  run_with_python(threads, memory, progress, [&](const Context& context, const CallPython&) { work(context); });
}

void run_with_python(int threads, std::int64_t memory, const nb::object& progress,
                     const std::function<void(const Context&, const CallPython&)>& work) {
  News news;
  std::atomic<bool> stop = false;
  std::exception_ptr failure;  // of the work
  std::exception_ptr raised;   // by Python
  Context context{threads, {}, &stop, memory};
  if (!progress.is_none()) {
    context.progress = [&news](std::string_view stage, double done, double total) {
      const std::scoped_lock lock(news.mutex);
      news.stage = stage;
      news.finished = done;
      news.total = total;
      news.reported = true;
    };
  }
  CallPython call = [&](const std::function<void()>& wanted) { wait_for_caller(wanted, stop, news); };
  const auto run = [&] {
    try {
      work(context, call);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(news.mutex);
    news.done = true;
    news.changed.notify_all();
  };
  std::thread worker;
  try {
    worker = std::thread(run);
  } catch (const std::system_error&) {
    // No thread is to be had: this one does the work, and Ctrl-C waits for it.
    call = [](const std::function<void()>& wanted) {
      const nb::gil_scoped_acquire acquire;
      wanted();
    };
    const nb::gil_scoped_release release;
    run();
  }

  constexpr auto kPatience = std::chrono::milliseconds(50);
  for (bool done = false; !done && !raised;) {
    {
      const nb::gil_scoped_release release;
      std::unique_lock lock(news.mutex);
      news.changed.wait_for(lock, kPatience, [&news] { return news.done || news.wanted != nullptr; });
      done = news.done;
    }
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) call_progress(news, progress);
      call_wanted(news);
    } catch (...) {
      raised = std::current_exception();
      const std::scoped_lock lock(news.mutex);
      stop = true;
      news.changed.notify_all();
    }
  }
  {
    const nb::gil_scoped_release release;
    if (worker.joinable()) worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace land::python
