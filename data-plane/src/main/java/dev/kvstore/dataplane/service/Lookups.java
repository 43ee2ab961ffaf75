package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.UnaryHandler;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.wire.WireNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves Lookup: how long a prefix of a prompt is stored. Thread-safe. */
final class Lookups implements UnaryHandler.UnaryWork<LookupRequest, LookupResponse> {
    /** The bytes that a location takes: 67 in the transport, three times that on the heap while the message is made. */
    static final int LOCATION_BYTES = 256;

    /**
     * Hashes that take about 0.1 ms to look up; the transport's thread answers no more than these itself, since other
     * calls of the connection wait meanwhile.
     */
    static final int AT_ONCE_HASHES = 2048;

    /** Tokens that take as long to hash. */
    static final int AT_ONCE_TOKENS = 16 * 1024;

    /** Bytes of a response that any call may leave in the transport without counting them. */
    static final int SHORT_BYTES = 16 * 1024;

    private final RequestAuthorisation authorisation;

    Lookups(RequestAuthorisation authorisation) {
        this.authorisation = authorisation;
    }

    @Override
    public UnaryHandler.UnaryResponse<LookupResponse> answer(
            Credential credential, LookupRequest request, CallAdmission.CallSlot slot, Runnable done) throws Exception {
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.grant(credential, request.getResourceName());
        Partition partition = authorisation.partition(request.getPartition(), request.getBlockTokens());
        authorisedAccount.require(Access.READ, partition);
        BlockChain chain = chain(partition, request);
        ExpectedLength expected = BlockFilter.length(request.getExpectedBytes());
        int cached;
        try {
            cached = authorisedAccount.origin().longestPrefix(chain, expected);
        } catch (StorageException e) {
            throw CallFailures.refusal(e, authorisedAccount.account().resourceName());
        }
        return answer(request, chain, cached);
    }

    /** Answers from memory alone, if the chain is short and no storage call is needed. */
    @Override
    public UnaryHandler.@Nullable UnaryResponse<LookupResponse> answerAtOnce(
            Credential credential, LookupRequest request, CallAdmission.CallSlot slot) throws CallRefusal {
        if (request.getBlockHashes().size() > AT_ONCE_HASHES * BlockHash.BYTES
                || request.getTokensCount() > AT_ONCE_TOKENS) {
            return null;
        }
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.known(credential, request.getResourceName());
        if (authorisedAccount == null) {
            return null;
        }
        Partition partition = authorisation.partition(request.getPartition(), request.getBlockTokens());
        authorisedAccount.require(Access.READ, partition);
        BlockChain chain = chain(partition, request);
        ExpectedLength expected = BlockFilter.length(request.getExpectedBytes());
        int cached = authorisedAccount.origin().knownPrefix(chain, expected);
        return cached < 0 ? null : answer(request, chain, cached);
    }

    private static UnaryHandler.UnaryResponse<LookupResponse> answer(
            LookupRequest request, BlockChain chain, int cached) {
        int located = request.getOmitLocations() ? 0 : cached;
        long bytes = (long) located * LOCATION_BYTES;
        return new UnaryHandler.UnaryResponse<>(
                () -> message(chain, cached, located), bytes < SHORT_BYTES ? 0 : bytes, () -> {});
    }

    private static LookupResponse message(BlockChain chain, int cached, int located) {
        LookupResponse.Builder message =
                LookupResponse.newBuilder().setCachedBlocks(cached).setLastHash(WireNames.field(chain.parent(cached)));
        for (int i = 0; i < located; i++) {
            message.addLocations(WireNames.field(chain.location(i)));
        }
        return message.build();
    }

    private static BlockChain chain(Partition partition, LookupRequest request) throws CallRefusal {
        ByteString hashes = request.getBlockHashes();
        List<ByteString> extras = request.getExtrasList();
        Tokens tokens = new PromptChains.RequestTokens(request.getTokensCount(), request::getTokens);
        PromptChains.requireOneForm("block_hashes", !hashes.isEmpty(), tokens, extras);
        PromptChains.requireBlocks(
                hashes.isEmpty() ? "tokens" : "block_hashes", PromptChains.blocks(partition, hashes, tokens));
        return PromptChains.chain(partition, hashes, tokens, extras);
    }
}
