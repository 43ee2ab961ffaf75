package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.UnaryHandler;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupAllResponse;
import dev.kvstore.protocol.v1.PartitionPrefix;
import dev.kvstore.protocol.v1.PartitionQuery;
import dev.kvstore.protocol.wire.WireNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Serves LookupAll: how long a prefix of a prompt each of several partitions has. Thread-safe. */
final class PartitionLookups implements UnaryHandler.UnaryWork<LookupAllRequest, LookupAllResponse> {
    /** A partition that is asked about. */
    private record PartitionPrompt(BlockChain chain, ExpectedLength expected) {}

    private final RequestAuthorisation authorisation;
    private final Executor executor;

    /** @param executor a virtual thread per task */
    PartitionLookups(RequestAuthorisation authorisation, Executor executor) {
        this.authorisation = authorisation;
        this.executor = executor;
    }

    @Override
    public UnaryHandler.UnaryResponse<LookupAllResponse> answer(
            Credential credential, LookupAllRequest request, CallAdmission.CallSlot slot, Runnable done)
            throws Exception {
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.grant(credential, request.getResourceName());
        List<PartitionPrompt> prompts = prompts(authorisedAccount, request);
        int[] cached = new int[prompts.size()];
        try {
            SideBySide.run(prompts.size(), ServiceLimits.LOOKUP_THREADS, slot, executor, i -> {
                PartitionPrompt prompt = prompts.get(i);
                cached[i] = authorisedAccount.origin().longestPrefix(prompt.chain(), prompt.expected());
            });
        } catch (StorageException e) {
            throw CallFailures.refusal(e, authorisedAccount.account().resourceName());
        }
        return answer(request, prompts, cached);
    }

    /** Answers from memory alone, if the chains are short and no storage call is needed. */
    @Override
    public UnaryHandler.@Nullable UnaryResponse<LookupAllResponse> answerAtOnce(
            Credential credential, LookupAllRequest request, CallAdmission.CallSlot slot) throws CallRefusal {
        long hashes = request.getPartitionsList().stream()
                .mapToLong(query -> query.getBlockHashes().size())
                .sum();
        if (hashes > (long) Lookups.AT_ONCE_HASHES * BlockHash.BYTES
                || (long) request.getTokensCount() * request.getPartitionsCount() > Lookups.AT_ONCE_TOKENS) {
            return null;
        }
        RequestAuthorisation.AuthorisedAccount authorisedAccount =
                authorisation.known(credential, request.getResourceName());
        if (authorisedAccount == null) {
            return null;
        }
        List<PartitionPrompt> prompts = prompts(authorisedAccount, request);
        int[] cached = new int[prompts.size()];
        for (int i = 0; i < cached.length; i++) {
            cached[i] = authorisedAccount
                    .origin()
                    .knownPrefix(prompts.get(i).chain(), prompts.get(i).expected());
            if (cached[i] < 0) {
                return null;
            }
        }
        return answer(request, prompts, cached);
    }

    private List<PartitionPrompt> prompts(
            RequestAuthorisation.AuthorisedAccount authorisedAccount, LookupAllRequest request) throws CallRefusal {
        int count = request.getPartitionsCount();
        if (count < 1 || count > ServiceLimits.LOOKUP_PARTITIONS) {
            throw CallRefusal.invalid(
                    "partitions", count + " are not 1 to " + ServiceLimits.LOOKUP_PARTITIONS + " partitions");
        }
        long hashed = (long) request.getTokensCount() * count;
        if (hashed > ServiceLimits.LOOKUP_ALL_TOKENS) {
            throw CallRefusal.invalid(
                    "tokens",
                    hashed + " tokens over all partitions are more than " + ServiceLimits.LOOKUP_ALL_TOKENS
                            + "; send block_hashes of each partition instead");
        }
        Tokens tokens = new PromptChains.RequestTokens(request.getTokensCount(), request::getTokens);
        boolean hashesGiven = request.getPartitionsList().stream()
                .anyMatch(query -> !query.getBlockHashes().isEmpty());
        PromptChains.requireOneForm("partitions.block_hashes", hashesGiven, tokens, request.getExtrasList());
        List<Partition> partitions = new ArrayList<>(count);
        long all = 0;
        for (PartitionQuery query : request.getPartitionsList()) {
            Partition partition = authorisation.partition(query.getPartition(), request.getBlockTokens());
            authorisedAccount.require(Access.READ, partition);
            partitions.add(partition);
            all += PromptChains.blocks(partition, query.getBlockHashes(), tokens);
        }
        // The limit is checked before any block is hashed.
        PromptChains.requireBlocks(hashesGiven ? "partitions.block_hashes" : "tokens", all);
        List<PartitionPrompt> prompts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            PartitionQuery query = request.getPartitions(i);
            ByteString hashes = query.getBlockHashes();
            prompts.add(new PartitionPrompt(
                    PromptChains.chain(partitions.get(i), hashes, tokens, request.getExtrasList()),
                    BlockFilter.length(query.getExpectedBytes())));
        }
        return prompts;
    }

    private static UnaryHandler.UnaryResponse<LookupAllResponse> answer(
            LookupAllRequest request, List<PartitionPrompt> prompts, int[] cached) {
        boolean located = !request.getOmitLocations();
        long bytes = located ? Arrays.stream(cached).asLongStream().sum() * Lookups.LOCATION_BYTES : 0;
        return new UnaryHandler.UnaryResponse<>(
                () -> message(prompts, cached, located), bytes < Lookups.SHORT_BYTES ? 0 : bytes, () -> {});
    }

    private static LookupAllResponse message(List<PartitionPrompt> prompts, int[] cached, boolean located) {
        LookupAllResponse.Builder message = LookupAllResponse.newBuilder()
                .setCachedBlocks(Arrays.stream(cached).min().orElse(0));
        for (int i = 0; i < cached.length; i++) {
            BlockChain chain = prompts.get(i).chain();
            PartitionPrefix.Builder prefix = message.addPartitionsBuilder()
                    .setCachedBlocks(cached[i])
                    .setLastHash(WireNames.field(chain.parent(cached[i])));
            for (int block = 0; located && block < cached[i]; block++) {
                prefix.addLocations(WireNames.field(chain.location(block)));
            }
        }
        return message.build();
    }
}
