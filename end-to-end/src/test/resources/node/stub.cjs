// The service as promises, made at run time from the published .proto.
'use strict';

const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const DEADLINE_MILLIS = 30_000;
const MAX_MESSAGE_BYTES = 65 << 20;

class Stub {
  /** @param {string[]} includes folders that hold kvstore/v1/kvstore.proto and google/rpc/*.proto */
  constructor(includes, endpoint, apiKey) {
    this.definition = protoLoader.loadSync(['kvstore/v1/kvstore.proto', 'google/rpc/error_details.proto'], {
      includeDirs: includes,
      keepCase: true,
      longs: Number,
      enums: String,
      defaults: true,
    });
    const { KVStoreService } = grpc.loadPackageDefinition(this.definition).kvstore.v1;
    this.client = new KVStoreService(endpoint, grpc.credentials.createInsecure(), {
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    });
    this.metadata = new grpc.Metadata();
    if (apiKey) {
      this.metadata.set('authorization', `Bearer ${apiKey}`);
    }
  }

  /** Lookup, Read, Write: the response and the answer's metadata. */
  unary(method, request) {
    return new Promise((resolve, reject) => {
      let headers;
      const call = this.client[method](request, this.metadata, this.options(), (error, response) =>
        error ? reject(error) : resolve({ response, headers }),
      );
      call.on('metadata', (metadata) => {
        headers = metadata;
      });
    });
  }

  /** StreamingRead, StreamingWrite: sends all requests, answers all responses once the stream has ended well. */
  stream(method, requests) {
    return new Promise((resolve, reject) => {
      const responses = [];
      const call = this.client[method](this.metadata, this.options());
      call.on('data', (response) => responses.push(response));
      call.on('error', reject);
      call.on('end', () => resolve(responses));
      requests.forEach((request) => call.write(request));
      call.end();
    });
  }

  /** The fields that an INVALID_ARGUMENT names, from its google.rpc.BadRequest. */
  violatedFields(error) {
    const [bytes] = error.metadata.get('grpc-status-details-bin');
    const { details } = this.decode('google.rpc.Status', bytes);
    return details
      .filter((detail) => detail.type_url.endsWith('google.rpc.BadRequest'))
      .flatMap((detail) => this.decode('google.rpc.BadRequest', detail.value).field_violations)
      .map((violation) => violation.field);
  }

  decode(type, bytes) {
    return this.definition[type].deserialize(bytes);
  }

  options() {
    return { deadline: Date.now() + DEADLINE_MILLIS };
  }

  close() {
    this.client.close();
  }
}

module.exports = { Stub, codes: grpc.status };
