package main

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/vmihailenco/msgpack/v5"
)

// unknown is a value that a plan does not know yet. Terraform says so by an extension, with or without facts about the value.
type unknown struct{}

func init() {
	for _, extension := range []int8{0, 12} {
		msgpack.RegisterExtDecoder(extension, unknown{}, func(in *msgpack.Decoder, _ reflect.Value, length int) error {
			return in.ReadFull(make([]byte, length))
		})
	}
}

// plain makes nil, a bool, a number, a string, []any or map[string]any of a value of Terraform, or unknown.
func plain(value *tfprotov5.DynamicValue) (made any, err error) {
	err = msgpack.Unmarshal(value.MsgPack, &made)
	return made, err
}

// number of a plain value; of none it is not a number, which is neither less nor more than any.
func number(value any) float64 {
	number, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil {
		return math.NaN()
	}
	return number
}
