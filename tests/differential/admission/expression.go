package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	kubeversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// expressions evaluates expressions in the environment of CRDs' rules: each line of the input has a text and the values
// of the variables, each line of the output what it comes to.
func expressions() {
	variables := environment.VersionedOptions{
		IntroducedVersion: kubeversion.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("s", cel.StringType),
			cel.Variable("i", cel.IntType),
			cel.Variable("l", cel.ListType(cel.StringType)),
			cel.Variable("t", cel.ListType(cel.StringType)),
			cel.Variable("n", cel.ListType(cel.IntType)),
			cel.Variable("m", cel.MapType(cel.StringType, cel.StringType)),
			cel.Variable("x", cel.DynType),
		},
	}
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(variables)
	check(err)
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in.Buffer(nil, 1<<28)
	for in.Scan() {
		var asked struct {
			Text string         `json:"text"`
			Data map[string]any `json:"data"`
		}
		check(utiljson.Unmarshal(in.Bytes(), &asked))
		found := map[string]any{}
		if value, stage, err := evaluated(set.StoredExpressionsEnv(), asked.Text, asked.Data); err != nil {
			found["fault"], found["stage"] = err.Error(), stage
		} else {
			found["values"] = []any{value}
		}
		line, err := json.Marshal(found)
		check(err)
		out.Write(append(line, '\n'))
	}
}

func evaluated(env *cel.Env, text string, data map[string]any) (value bool, stage string, err error) {
	defer func() {
		if why := recover(); why != nil {
			stage, err = "panic", fmt.Errorf("%v", why)
		}
	}()
	tree, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		return false, "compile", issues.Err()
	}
	if given := tree.OutputType(); given.Kind() != cel.BoolKind && given.Kind() != cel.DynKind {
		return false, "compile", fmt.Errorf("no bool: %s", given)
	}
	program, err := env.Program(tree, cel.CostLimit(1_000_000))
	if err != nil {
		return false, "compile", err
	}
	result, _, err := program.Eval(data)
	if err != nil {
		return false, "evaluate", err
	}
	truth, ok := result.Value().(bool)
	if !ok || result.Type() != cel.BoolType {
		return false, "evaluate", errors.New("no boolean")
	}
	return truth, "", nil
}
