// SPDX-License-Identifier: BSD-3-Clause
#include "yaml_tree.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "utf8.hpp"

namespace ambf_adf
{
namespace
{

// The largest real file has some 20,000 nodes and a depth of 7.
constexpr std::size_t max_weight = 2'000'000;
constexpr std::size_t max_depth = 200;

Mark to_mark(const YAML::Mark & mark)
{
  return mark.is_null() ? Mark{} : Mark{mark.line + 1, mark.column + 1};
}

struct Refusal
{
  ProblemKind kind;
  Mark where;
  std::string found;
  std::string expected;
};

class TreeBuilder : public YAML::EventHandler
{
public:
  TreeBuilder(const std::string & file, Problems & problems) : file_(file), problems_(problems) {}

  YamlNodePtr root() const { return root_; }

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark & mark, YAML::anchor_t anchor) override
  {
    finish(std::make_shared<YamlNode>(start(YamlNode::Kind::Null, mark, anchor)), anchor);
  }

  void OnScalar(
    const YAML::Mark & mark, const std::string & tag, YAML::anchor_t anchor,
    const std::string & value) override
  {
    auto node = std::make_shared<YamlNode>(start(YamlNode::Kind::Scalar, mark, anchor));
    node->quoted = tag == "!";
    node->text = lone_bytes_as_latin1(value);  // yaml-cpp makes single bytes of \N and \_
    finish(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark & mark, YAML::anchor_t anchor) override
  {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw Refusal{
        ProblemKind::Syntax, to_mark(mark), "an alias inside its own anchor",
        "an alias to something that is complete"};
    }
    attach(found->second, to_mark(mark));
  }

  void OnSequenceStart(
    const YAML::Mark & mark, const std::string &, YAML::anchor_t anchor,
    YAML::EmitterStyle::value) override
  {
    open(YamlNode::Kind::Sequence, mark, anchor);
  }

  void OnMapStart(
    const YAML::Mark & mark, const std::string &, YAML::anchor_t anchor,
    YAML::EmitterStyle::value) override
  {
    open(YamlNode::Kind::Map, mark, anchor);
  }

  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

private:
  struct Frame
  {
    std::shared_ptr<YamlNode> node;
    YAML::anchor_t anchor = 0;
    bool expects_key = true;
    bool drop_value = false;
    std::string key;
    Mark key_mark;
    std::unordered_set<std::string> keys;
    std::vector<YamlNodePtr> merges;
  };

  YamlNode start(YamlNode::Kind kind, const YAML::Mark & mark, YAML::anchor_t anchor) const
  {
    YamlNode node;
    node.kind = kind;
    node.mark = to_mark(mark);
    node.anchored = anchor != 0;
    return node;
  }

  void open(YamlNode::Kind kind, const YAML::Mark & mark, YAML::anchor_t anchor)
  {
    Frame frame;
    frame.node = std::make_shared<YamlNode>(start(kind, mark, anchor));
    frame.anchor = anchor;
    stack_.push_back(std::move(frame));
  }

  void close()
  {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    for (const auto & merge : frame.merges) { apply_merge(*frame.node, *merge, frame.keys); }
    finish(std::move(frame.node), frame.anchor);
  }

  void finish(std::shared_ptr<YamlNode> node, YAML::anchor_t anchor)
  {
    const Mark mark = node->mark;
    YamlNodePtr done = std::move(node);
    if (anchor != 0) { anchors_[anchor] = done; }
    attach(done, mark);
  }

  void attach(const YamlNodePtr & node, Mark mark)
  {
    if (stack_.empty()) {
      root_ = node;
      return;
    }
    Frame & frame = stack_.back();
    if (frame.node->is_sequence()) {
      grow(*frame.node, *node, mark);
      frame.node->items.push_back(node);
    } else if (frame.expects_key) {
      take_key(frame, *node, mark);
      frame.expects_key = false;
    } else {
      take_value(frame, node, mark);
      frame.expects_key = true;
    }
  }

  void take_key(Frame & frame, const YamlNode & key, Mark mark)
  {
    frame.key_mark = mark;
    frame.drop_value = false;
    if (key.is_sequence() || key.is_map()) {
      frame.drop_value = true;
      warn(
        ProblemKind::WrongType, mark, "", key.describe() + " as a key", "a word as key",
        "the entry is ignored");
      return;
    }
    frame.key = key.text;
    if (frame.key != "<<" && !frame.keys.insert(frame.key).second) {
      frame.drop_value = true;
      warn(
        ProblemKind::DuplicateKey, mark, key_path(), "the key a second time", "each key once",
        "the first value counts; delete one of them");
    }
  }

  std::string key_path() const
  {
    std::string path;
    for (const Frame & frame : stack_) {
      if (frame.node->is_map()) { path += (path.empty() ? "" : "/") + frame.key; }
    }
    return path;
  }

  void take_value(Frame & frame, const YamlNodePtr & value, Mark mark)
  {
    if (frame.drop_value) { return; }
    grow(*frame.node, *value, mark);
    if (frame.key == "<<" && value->is_map()) {
      frame.merges.push_back(value);
    } else if (frame.key == "<<" && value->is_sequence()) {
      frame.merges.insert(frame.merges.end(), value->items.begin(), value->items.end());
    } else {
      frame.node->entries.push_back({frame.key, frame.key_mark, value});
    }
  }

  // Merge keys: own entries win, then earlier merges.
  static void apply_merge(
    YamlNode & node, const YamlNode & merge, std::unordered_set<std::string> & keys)
  {
    for (const auto & entry : merge.entries) {
      if (keys.insert(entry.key).second) { node.entries.push_back(entry); }
    }
  }

  void grow(YamlNode & parent, const YamlNode & child, Mark mark)
  {
    parent.weight += child.weight;
    parent.depth = std::max(parent.depth, child.depth + 1);
    if (parent.weight > max_weight || parent.depth > max_depth) {
      throw Refusal{
        ProblemKind::TooComplex, mark,
        parent.depth > max_depth ? "more than 200 levels of nesting"
                                 : "more than 2,000,000 values (aliases expanded)",
        "a description of reasonable size"};
    }
  }

  void warn(
    ProblemKind kind, Mark mark, std::string key, std::string found, std::string expected,
    std::string hint)
  {
    problems_.push_back(
      {Severity::Warning, kind, file_, mark, std::move(key), std::move(found), std::move(expected),
       std::move(hint)});
  }

  std::string file_;
  Problems & problems_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, YamlNodePtr> anchors_;
  YamlNodePtr root_;
};

/// Stops at the first thing that is there.
class AnyContent : public YAML::EventHandler
{
public:
  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark & mark, YAML::anchor_t) override { throw mark; }
  void OnScalar(
    const YAML::Mark & mark, const std::string &, YAML::anchor_t, const std::string &) override
  {
    throw mark;
  }
  void OnSequenceStart(
    const YAML::Mark & mark, const std::string &, YAML::anchor_t,
    YAML::EmitterStyle::value) override
  {
    throw mark;
  }
  void OnMapStart(
    const YAML::Mark & mark, const std::string &, YAML::anchor_t,
    YAML::EmitterStyle::value) override
  {
    throw mark;
  }
  void OnSequenceEnd() override {}
  void OnMapEnd() override {}
};

void warn_of_second_document(YAML::Parser & parser, const std::string & file, Problems & problems)
{
  try {
    AnyContent content;
    constexpr int most_empty = 8;  // yaml-cpp may stand still at what it cannot use
    for (int i = 0; i < most_empty && parser.HandleNextDocument(content); ++i) {}
  } catch (const YAML::Mark & mark) {
    problems.push_back(
      {Severity::Warning, ProblemKind::Syntax, file, to_mark(mark), "",
       "a second document after '---'", "one document", "only the first one is read"});
  } catch (const YAML::Exception &) {
    // Whatever it is, it is not read.
  }
}

Problem error(
  ProblemKind kind, const std::string & file, Mark where, std::string found, std::string expected)
{
  return {Severity::Error, kind, file, where, "", std::move(found), std::move(expected), ""};
}

/// Lines count from 0.
bool indented_with_tab(std::string_view text, int line)
{
  for (; line > 0 && !text.empty(); --line) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  const auto start = text.find_first_not_of(' ');
  return line == 0 && start != std::string_view::npos && text[start] == '\t';
}

/// yaml-cpp's words are about its grammar; these are about the file.
std::string syntax_hint(const std::string & message, std::string_view text, int line)
{
  if (indented_with_tab(text, line) || indented_with_tab(text, line - 1)) {
    return "YAML is indented with blanks, not with tabs";
  }
  const std::pair<const char *, const char *> hints[] = {
    {"end of map", "a '{' is not closed, a comma is missing, or a line starts in the wrong column"},
    {"end of sequence",
     "a '[' is not closed, a comma is missing, or a line starts in the wrong column"},
    {"illegal map value", "a value with ': ' needs quotes, or a line starts in the wrong column"},
    {"illegal block entry", "a '-' starts in the wrong column"},
    {"anchor", "an alias '*name' needs an anchor '&name' before it"},
    {"bad file", "it is nested too deeply"}};
  for (const auto & [words, hint] : hints) {
    if (message.find(words) != std::string::npos) { return hint; }
  }
  return "look at this line and the one before it";
}

}  // namespace

const YamlEntry * YamlNode::find(std::string_view key) const
{
  for (const auto & entry : entries) {
    if (entry.key == key) { return &entry; }
  }
  return nullptr;
}

std::string YamlNode::describe() const
{
  switch (kind) {
    case Kind::Null:
      return "nothing";
    case Kind::Sequence:
      return "a list";
    case Kind::Map:
      return "a map";
    case Kind::Scalar:
      break;
  }
  std::size_t length = 60;
  if (text.size() <= length) { return "'" + text + "'"; }
  while ((static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
    --length;  // not in the middle of a character
  }
  return "'" + text.substr(0, length) + "...'";
}

expected<YamlNodePtr, Problem> compose_yaml(
  std::string_view text, const std::string & file, Problems & problems)
{
  const Utf8Text utf8 = to_valid_utf8(text);
  if (utf8.first_bad) {
    const auto line =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*utf8.first_bad), '\n');
    problems.push_back(
      {Severity::Warning,
       ProblemKind::Syntax,
       file,
       {static_cast<int>(line) + 1, 1},
       "",
       "bytes that are no UTF-8 text",
       "UTF-8",
       "they are replaced; save the file as UTF-8"});
  }
  try {
    std::istringstream stream{utf8.text};
    YAML::Parser parser(stream);
    TreeBuilder builder(file, problems);
    if (!parser.HandleNextDocument(builder) || !builder.root()) {
      return unexpected(
        error(ProblemKind::Syntax, file, {1, 1}, "an empty file", "an ADF description"));
    }
    warn_of_second_document(parser, file, problems);
    return builder.root();
  } catch (const Refusal & refusal) {
    return unexpected(error(refusal.kind, file, refusal.where, refusal.found, refusal.expected));
  } catch (const YAML::Exception & e) {
    Problem problem =
      error(ProblemKind::Syntax, file, to_mark(e.mark), "'" + e.msg + "'", "valid YAML");
    problem.hint = syntax_hint(e.msg, utf8.text, e.mark.line);
    return unexpected(std::move(problem));
  }
}

}  // namespace ambf_adf
