/// Saved state: a sequence of typed values, bit-exact, that notices when it was damaged.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hindsight/core/point.hpp"

namespace hindsight {

/// Collects values; `finish` appends a checksum and returns the bytes.
class Writer {
 public:
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  template <class T>
  void values(std::span<const T> v) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(static_cast<std::uint64_t>(v.size()));
    bytes_.append(reinterpret_cast<const char*>(v.data()), v.size_bytes());
  }
  template <class T>
  void values(const std::vector<T>& v) {
    values(std::span<const T>(v));
  }
  void text(std::string_view v) { values(std::span<const char>(v)); }
  /// Row by row, whether in strips or not.
  template <class Number>
  void table(const NumberTable<Number>& t) {
    value(static_cast<std::uint64_t>(t.rows() * t.columns()));
    std::vector<Number> row(t.columns());
    for (std::size_t i = 0; i < t.rows(); ++i) {
      t.load(i, row);
      bytes_.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(Number));
    }
  }

  std::string finish() &&;

 private:
  std::string bytes_;
};

/// Gives the values back in the order they were written. The checksum is tested first, so what
/// follows can only fail where the reader asks for something else than was written: then it throws
/// InputError.
class Reader {
 public:
  explicit Reader(std::string_view bytes);

  template <class T>
  T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    T v;
    std::memcpy(&v, take(sizeof v), sizeof v);
    return v;
  }
  /// Reads exactly as many values as `into` holds.
  template <class T>
  void values(std::span<T> into) {
    expect(value<std::uint64_t>() == into.size());
    if (!into.empty()) std::memcpy(into.data(), take(into.size_bytes()), into.size_bytes());
  }
  template <class T>
  void values(std::vector<T>& into) {
    values(std::span<T>(into));
  }
  std::string text();
  template <class Number>
  void table(NumberTable<Number>& into) {
    expect(value<std::uint64_t>() == into.rows() * into.columns());
    std::vector<Number> row(into.columns());
    for (std::size_t i = 0; i < into.rows(); ++i) {
      const std::size_t size = row.size() * sizeof(Number);
      std::memcpy(row.data(), take(size), size);
      into.store(i, row);
    }
  }
  /// Rejects a snapshot in which `name` is not what this learner has.
  template <class T>
  void same(std::string_view name, const T& expected) {
    if (!(value<T>() == expected)) mismatch(name);
  }
  void same_text(std::string_view name, std::string_view expected) {
    if (text() != expected) mismatch(name);
  }

 private:
  const char* take(std::size_t size);
  static void expect(bool holds);
  [[noreturn]] static void mismatch(std::string_view name);

  std::string_view bytes_;
};

}  // namespace hindsight
