// What Go's libraries make of texts: each line of standard input is a question, each line of standard output its answer.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"text/template"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	yaml3 "gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"
	sigs "sigs.k8s.io/yaml"
)

type question struct {
	Area string          `json:"area"`
	Text string          `json:"text"`
	Data json.RawMessage `json:"data"`
}

// An answer: the values that a text holds or comes to, and why there are no more.
type answer struct {
	Values []json.RawMessage `json:"values"`
	Fault  string            `json:"fault,omitempty"`
	Stage  string            `json:"stage,omitempty"`
}

var areas = map[string]func(question) answer{
	"kubernetes": readKubernetes,
	"vmcp":       readVmcp,
	"json":       readJSON,
	"cel":        evaluateMatcher,
	"template":   executeTemplate,
	"re2":        matchPattern,
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	in.Buffer(nil, 1<<28)
	for in.Scan() {
		var asked question
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		line, err := json.Marshal(answered(asked))
		if err != nil {
			panic(err)
		}
		out.Write(append(line, '\n'))
	}
	out.Flush()
}

func answered(asked question) (found answer) {
	defer func() {
		if why := recover(); why != nil {
			found = answer{Fault: fmt.Sprint(why), Stage: "panic"}
		}
	}()
	return areas[asked.Area](asked)
}

func failed(stage string, err error) answer { return answer{Fault: err.Error(), Stage: stage} }

func with(value any) answer {
	data, err := json.Marshal(value)
	if err != nil {
		return failed("json", err)
	}
	return answer{Values: []json.RawMessage{data}}
}

// kubectl cuts a stream, and the API server's strictness is that of sigs.k8s.io/yaml's for each part.
func readKubernetes(asked question) answer {
	var found answer
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(asked.Text)))
	for {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			found.Fault, found.Stage = err.Error(), "separator"
			return found
		}
		data, err := sigs.YAMLToJSONStrict(part)
		if err != nil {
			found.Fault, found.Stage = err.Error(), "yaml"
			return found
		}
		found.Values = append(found.Values, data)
	}
}

func readVmcp(asked question) answer {
	var value any
	if err := yaml3.Unmarshal([]byte(asked.Text), &value); err != nil {
		return failed("yaml", err)
	}
	return with(value)
}

// kubectl reads a stream of values, and the API server refuses keys that stand twice.
func readJSON(asked question) answer {
	var found answer
	decoder := json.NewDecoder(strings.NewReader(asked.Text))
	for {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			found.Fault, found.Stage = err.Error(), "json"
			return found
		}
		var value any
		strict, err := kjson.UnmarshalStrict(raw, &value)
		if err == nil && len(strict) > 0 {
			err = strict[0]
		}
		if err != nil {
			found.Fault, found.Stage = err.Error(), "json"
			return found
		}
		data, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		found.Values = append(found.Values, data)
	}
}

var matchers, _ = cel.NewEnv(cel.Variable("claims", cel.MapType(cel.StringType, cel.DynType)))

func evaluateMatcher(asked question) answer {
	tree, issues := matchers.Compile(asked.Text)
	if issues != nil && issues.Err() != nil {
		return failed("compile", issues.Err())
	}
	program, err := matchers.Program(tree, cel.CostLimit(1_000_000))
	if err != nil {
		return failed("compile", err)
	}
	var claims map[string]any
	if err := json.Unmarshal(asked.Data, &claims); err != nil {
		panic(err)
	}
	var value ref.Val
	value, _, err = program.Eval(map[string]any{"claims": claims})
	if err != nil {
		return failed("evaluate", err)
	}
	truth, ok := value.Value().(bool)
	if !ok {
		return failed("evaluate", errors.New("no boolean"))
	}
	return with(truth)
}

var functions = template.FuncMap{
	"json": func(value any) (string, error) {
		data, err := json.Marshal(value)
		return string(data), err
	},
	"quote": func(text string) string { return fmt.Sprintf("%q", text) },
	"fromJson": func(text string) (any, error) {
		var value any
		err := json.Unmarshal([]byte(text), &value)
		return value, err
	},
}

func executeTemplate(asked question) answer {
	parsed, err := template.New("expand").Funcs(functions).Parse(asked.Text)
	if err != nil {
		return failed("parse", err)
	}
	var data map[string]any
	if err := json.Unmarshal(asked.Data, &data); err != nil {
		panic(err)
	}
	out := &bounded{}
	if err := parsed.Execute(out, data); err != nil {
		return failed("execute", err)
	}
	return with(out.String())
}

type bounded struct{ bytes.Buffer }

func (out *bounded) Write(data []byte) (int, error) {
	if out.Len() > 1<<20 {
		return 0, errors.New("too much output")
	}
	return out.Buffer.Write(data)
}

func matchPattern(asked question) answer {
	pattern, err := regexp.Compile(asked.Text)
	if err != nil {
		return failed("compile", err)
	}
	var texts []string
	if err := json.Unmarshal(asked.Data, &texts); err != nil {
		panic(err)
	}
	matches := make([]bool, len(texts))
	for at, text := range texts {
		matches[at] = pattern.MatchString(text)
	}
	return with(matches)
}
