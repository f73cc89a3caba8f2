#include "yaml_tree.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <yaml-cpp/emitter.h>
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
    node->text = value;
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
    for (const auto & merge : frame.merges) {
      apply_merge(*frame.node, *merge, frame.keys);
    }
    finish(std::move(frame.node), frame.anchor);
  }

  void finish(std::shared_ptr<YamlNode> node, YAML::anchor_t anchor)
  {
    const Mark mark = node->mark;
    YamlNodePtr done = std::move(node);
    if (anchor != 0) {
      anchors_[anchor] = done;
    }
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
      if (frame.node->is_map()) {
        path += (path.empty() ? "" : "/") + frame.key;
      }
    }
    return path;
  }

  void take_value(Frame & frame, const YamlNodePtr & value, Mark mark)
  {
    if (frame.drop_value) {
      return;
    }
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
      if (keys.insert(entry.key).second) {
        node.entries.push_back(entry);
      }
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

Problem error(
  ProblemKind kind, const std::string & file, Mark where, std::string found, std::string expected)
{
  return {Severity::Error, kind, file, where, "", std::move(found), std::move(expected), ""};
}

/// yaml-cpp's words are about its grammar; these are about the file.
std::string syntax_hint(const std::string & message)
{
  const std::pair<const char *, const char *> hints[] = {
    {"end of map", "a '{' is not closed, a comma is missing, or a line starts in the wrong column"},
    {"end of sequence",
     "a '[' is not closed, a comma is missing, or a line starts in the wrong column"},
    {"illegal map value", "a value with ': ' needs quotes, or a line starts in the wrong column"},
    {"illegal block entry", "a '-' starts in the wrong column"},
    {"anchor", "an alias '*name' needs an anchor '&name' before it"},
    {"tab", "YAML is indented with blanks, not with tabs"}};
  for (const auto & [words, hint] : hints) {
    if (message.find(words) != std::string::npos) {
      return hint;
    }
  }
  return "look at this line and the one before it";
}

}  // namespace

const YamlEntry * YamlNode::find(std::string_view key) const
{
  for (const auto & entry : entries) {
    if (entry.key == key) {
      return &entry;
    }
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
  constexpr std::size_t longest = 60;
  return "'" + (text.size() > longest ? text.substr(0, longest) + "..." : text) + "'";
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
    return builder.root();
  } catch (const Refusal & refusal) {
    return unexpected(error(refusal.kind, file, refusal.where, refusal.found, refusal.expected));
  } catch (const YAML::Exception & e) {
    Problem problem =
      error(ProblemKind::Syntax, file, to_mark(e.mark), "'" + e.msg + "'", "valid YAML");
    problem.hint = syntax_hint(e.msg);
    return unexpected(std::move(problem));
  }
}

void emit_yaml(YAML::Emitter & out, const YamlNode & node)
{
  switch (node.kind) {
    case YamlNode::Kind::Null:
      out << YAML::Null;
      break;
    case YamlNode::Kind::Scalar:
      if (node.quoted) {
        out << YAML::DoubleQuoted;
      }
      out << node.text;
      break;
    case YamlNode::Kind::Sequence:
      out << YAML::BeginSeq;
      for (const auto & item : node.items) {
        emit_yaml(out, *item);
      }
      out << YAML::EndSeq;
      break;
    case YamlNode::Kind::Map:
      out << YAML::BeginMap;
      for (const auto & entry : node.entries) {
        out << YAML::Key << entry.key << YAML::Value;
        emit_yaml(out, *entry.value);
      }
      out << YAML::EndMap;
      break;
  }
}

std::string emit_yaml(const YamlNode & node)
{
  YAML::Emitter out;
  emit_yaml(out, node);
  return out.c_str();
}

std::string emit_yaml(const std::vector<YamlEntry> & entries)
{
  if (entries.empty()) {
    return {};
  }
  YamlNode map;
  map.kind = YamlNode::Kind::Map;
  map.entries = entries;
  return emit_yaml(map);
}

}  // namespace ambf_adf
