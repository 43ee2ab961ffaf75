package dev.kvstore.clusters.process;

import dev.kvstore.clusters.cluster.ClusterProcesses;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes, in the database. */
@ApplicationScoped
public class ProcessRepository implements PanacheRepositoryBase<ServingProcess, ServingProcess.Id>, ClusterProcesses {
    List<ServingProcess> page(String cluster, String after, int limit) {
        return find("id.cluster = ?1 and id.name > ?2 order by id.name", cluster, after)
                .page(0, limit)
                .list();
    }

    /** The process at an address; null if there is none. */
    @Nullable
    ServingProcess at(String address) {
        return find("address", address).firstResult();
    }

    @Override
    public long countIn(String cluster) {
        return count("id.cluster", cluster);
    }
}
