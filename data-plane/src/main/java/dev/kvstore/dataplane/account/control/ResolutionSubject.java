package dev.kvstore.dataplane.account.control;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import java.util.HexFormat;

/** The subject of a question to the control plane: a key and a resource. */
record ResolutionSubject(Credential credential, String resourceName) {
    /** The subject of a question about a key alone: no resource has the empty name. */
    static ResolutionSubject ofKeyAlone(Credential credential) {
        return new ResolutionSubject(credential, "");
    }

    boolean isOfKeyAlone() {
        return resourceName.isEmpty();
    }

    ResolveRequest request(String region) {
        return ResolveRequest.newBuilder()
                .setKeyId(credential.keyId())
                .setKeySha256(ByteString.copyFrom(HexFormat.of().parseHex(credential.sha256())))
                .setResourceName(resourceName)
                .setRegion(region)
                .build();
    }

    static ResolutionSubject of(ResolveRequest request) {
        String sha256 = HexFormat.of().formatHex(request.getKeySha256().toByteArray());
        return new ResolutionSubject(new Credential(request.getKeyId(), sha256), request.getResourceName());
    }
}
