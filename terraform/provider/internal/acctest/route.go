package acctest

import (
	"context"
	"fmt"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protowire"
)

// AskRoute asks the control plane, as a client with this key, for the processes that serve an account. The platform places an account
// when a client first asks.
func (s *Server) AskRoute(ctx context.Context, account, key string) error {
	channel, err := grpc.NewClient("127.0.0.1:"+strconv.Itoa(s.grpc), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer func() { _ = channel.Close() }()
	request := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), account)
	var response []byte
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key)
	return channel.Invoke(ctx, "/kvstore.control.v1.RouteService/GetRoute", &request, &response, grpc.ForceCodec(bytesCodec{}))
}

// bytesCodec sends and receives messages that are encoded already.
type bytesCodec struct{}

// Name is that of the encoding.
func (bytesCodec) Name() string { return "proto" }

// Marshal takes a *[]byte.
func (bytesCodec) Marshal(v any) ([]byte, error) {
	b, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("%T is no message", v)
	}
	return *b, nil
}

// Unmarshal fills a *[]byte.
func (bytesCodec) Unmarshal(data []byte, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is no message", v)
	}
	*b = append([]byte(nil), data...)
	return nil
}
