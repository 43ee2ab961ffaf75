-- A database as the first version left it, with something of everything in it.
CREATE TABLE public.account (
    resource_name text NOT NULL,
    tenant text NOT NULL,
    home_region text NOT NULL,
    state text NOT NULL,
    operations integer NOT NULL,
    bytes_per_second bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT account_bytes_per_second_check CHECK ((bytes_per_second >= 0)),
    CONSTRAINT account_operations_check CHECK ((operations >= 0)),
    CONSTRAINT account_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'DELETED'::text])))
);
CREATE TABLE public.account_grant (
    resource_name text NOT NULL,
    name text NOT NULL,
    grantee text NOT NULL,
    key_id text,
    reads boolean NOT NULL,
    writes boolean NOT NULL,
    partition text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    version bigint NOT NULL
);
CREATE TABLE public.api_key (
    id text NOT NULL,
    tenant text NOT NULL,
    label text NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    version bigint NOT NULL,
    CONSTRAINT api_key_sha256_check CHECK ((length(sha256) = 32))
);
CREATE TABLE public.change (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    role text NOT NULL,
    tenant text,
    action text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    before jsonb,
    after jsonb,
    key_ids text[] NOT NULL,
    resource_names text[] NOT NULL
);
ALTER TABLE public.change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cluster (
    name text NOT NULL,
    region text NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT cluster_state_check CHECK ((state = ANY (ARRAY['PROVISIONING'::text, 'ACTIVE'::text, 'DRAINING'::text, 'OFFLINE'::text])))
);
CREATE TABLE public.history_of_account (
    installed_rank integer NOT NULL,
    version character varying(50),
    description character varying(200) NOT NULL,
    type character varying(20) NOT NULL,
    script character varying(1000) NOT NULL,
    checksum integer,
    installed_by character varying(100) NOT NULL,
    installed_on timestamp without time zone DEFAULT now() NOT NULL,
    execution_time integer NOT NULL,
    success boolean NOT NULL
);
CREATE TABLE public.history_of_change (
    installed_rank integer NOT NULL,
    version character varying(50),
    description character varying(200) NOT NULL,
    type character varying(20) NOT NULL,
    script character varying(1000) NOT NULL,
    checksum integer,
    installed_by character varying(100) NOT NULL,
    installed_on timestamp without time zone DEFAULT now() NOT NULL,
    execution_time integer NOT NULL,
    success boolean NOT NULL
);
CREATE TABLE public.history_of_cluster (
    installed_rank integer NOT NULL,
    version character varying(50),
    description character varying(200) NOT NULL,
    type character varying(20) NOT NULL,
    script character varying(1000) NOT NULL,
    checksum integer,
    installed_by character varying(100) NOT NULL,
    installed_on timestamp without time zone DEFAULT now() NOT NULL,
    execution_time integer NOT NULL,
    success boolean NOT NULL
);
CREATE TABLE public.placement (
    resource_name text NOT NULL,
    region text NOT NULL,
    cluster text NOT NULL,
    pinned boolean NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public.process (
    cluster text NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    numa_node integer,
    created_at timestamp with time zone NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public.region (
    name text NOT NULL,
    display_name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public.replica (
    resource_name text NOT NULL,
    region text NOT NULL,
    endpoint text NOT NULL,
    container text NOT NULL,
    credential text NOT NULL,
    create_container boolean NOT NULL,
    vouched boolean NOT NULL,
    nonce text NOT NULL,
    state text NOT NULL,
    report jsonb,
    probed_at timestamp with time zone,
    probe_after timestamp with time zone NOT NULL,
    CONSTRAINT replica_state_check CHECK ((state = ANY (ARRAY['UNPROVEN'::text, 'READY'::text, 'FAILING'::text])))
);
CREATE TABLE public.round_trip (
    one text NOT NULL,
    other text NOT NULL,
    micros bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT round_trip_check CHECK ((one < other)),
    CONSTRAINT round_trip_micros_check CHECK ((micros > 0))
);
CREATE TABLE public.tenant (
    name text NOT NULL,
    display_name text NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT tenant_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text, 'DELETED'::text])))
);
INSERT INTO public.account VALUES ('acme-local', 'acme', 'eu-1', 'ACTIVE', 0, 0, '2026-11-21 23:59:28.452823+00', '2026-11-21 23:59:28.452913+00', 1);
INSERT INTO public.account VALUES ('acme-prod', 'acme', 'eu-1', 'ACTIVE', 10, 1000000, '2026-11-21 23:59:28.203762+00', '2026-11-21 23:59:28.625979+00', 3);
INSERT INTO public.account VALUES ('acme-old', 'acme', 'eu-1', 'DELETED', 0, 0, '2026-11-21 23:59:28.503818+00', '2026-11-21 23:59:28.969713+00', 2);
INSERT INTO public.account_grant VALUES ('acme-prod', 'provider', 'provider', NULL, true, true, 'llama/rev1', '2026-11-21 23:59:28.746635+00', NULL, 0);
INSERT INTO public.account_grant VALUES ('acme-prod', 'one-key', 'provider', 'nm218jutv186', true, false, NULL, '2026-11-21 23:59:28.837698+00', NULL, 0);
INSERT INTO public.api_key VALUES ('nm218jutv186', 'provider', 'node 1', '\x348aaacf412bd7160894a755be45fdbd70b324887a7a552babec3d97955805f4', '2026-11-21 23:59:27.727129+00', NULL, NULL, 0);
INSERT INTO public.api_key VALUES ('lbefazajt2po', 'acme', 'first', '\xbdc134d9f6072411a1455dc87a703cc2295b1e33ccc0b4edb8afda57dec57d38', '2026-11-21 23:59:27.983329+00', '2026-11-22 00:00:28.047662+00', NULL, 1);
INSERT INTO public.api_key VALUES ('b44orgm7k2pw', 'acme', 'first', '\xe21513396e9a2491bc3621028952a8c7a7028cfe9842af1629f7441e25f41a3e', '2026-11-21 23:59:28.078689+00', NULL, NULL, 0);
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-21 23:59:26.692542+00', 'local-admin', 'platform-admin', NULL, 'create', 'region', 'eu-1', NULL, '{"name": "eu-1", "version": 0, "createdAt": "2026-11-21T23:59:26.451401Z", "displayName": "Europe"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (2, '2026-11-21 23:59:27.028765+00', 'local-admin', 'platform-admin', NULL, 'create', 'region', 'us-1', NULL, '{"name": "us-1", "version": 0, "createdAt": "2026-11-21T23:59:27.009158Z", "displayName": "us-1"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (3, '2026-11-21 23:59:27.222583+00', 'local-admin', 'platform-admin', NULL, 'create', 'round-trip', 'eu-1/us-1', NULL, '{"other": "us-1", "micros": 80000, "region": "eu-1", "version": 0}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (4, '2026-11-21 23:59:27.351862+00', 'local-admin', 'platform-admin', NULL, 'create', 'cluster', 'eu-1-a', NULL, '{"name": "eu-1-a", "state": "active", "region": "eu-1", "version": 0, "createdAt": "2026-11-21T23:59:27.340646Z", "updatedAt": "2026-11-21T23:59:27.340715Z"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (5, '2026-11-21 23:59:27.42889+00', 'local-admin', 'platform-admin', NULL, 'create', 'process', 'eu-1-a/n0', NULL, '{"name": "n0", "address": "10.0.0.1:8085", "cluster": "eu-1-a", "version": 0, "numaNode": 0, "createdAt": "2026-11-21T23:59:27.422289Z"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (6, '2026-11-21 23:59:27.506126+00', 'local-admin', 'platform-admin', 'acme', 'create', 'tenant', 'acme', NULL, '{"name": "acme", "state": "active", "version": 0, "createdAt": "2026-11-21T23:59:27.493520Z", "updatedAt": "2026-11-21T23:59:27.493593Z", "displayName": "Acme"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (7, '2026-11-21 23:59:27.600418+00', 'local-admin', 'platform-admin', 'provider', 'create', 'tenant', 'provider', NULL, '{"name": "provider", "state": "active", "version": 0, "createdAt": "2026-11-21T23:59:27.589109Z", "updatedAt": "2026-11-21T23:59:27.589157Z", "displayName": "provider"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (8, '2026-11-21 23:59:27.638613+00', 'local-admin', 'platform-admin', 'gone', 'create', 'tenant', 'gone', NULL, '{"name": "gone", "state": "active", "version": 0, "createdAt": "2026-11-21T23:59:27.634078Z", "updatedAt": "2026-11-21T23:59:27.634112Z", "displayName": "gone"}', '{}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (9, '2026-11-21 23:59:27.753814+00', 'local-admin', 'platform-admin', 'provider', 'create', 'key', 'nm218jutv186', NULL, '{"id": "nm218jutv186", "label": "node 1", "tenant": "provider", "version": 0, "createdAt": "2026-11-21T23:59:27.727129Z", "expiresAt": null, "revokedAt": null}', '{nm218jutv186}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (10, '2026-11-21 23:59:27.992552+00', 'local-admin', 'platform-admin', 'acme', 'create', 'key', 'lbefazajt2po', NULL, '{"id": "lbefazajt2po", "label": "first", "tenant": "acme", "version": 0, "createdAt": "2026-11-21T23:59:27.983329Z", "expiresAt": null, "revokedAt": null}', '{lbefazajt2po}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (11, '2026-11-21 23:59:28.069672+00', 'local-admin', 'platform-admin', 'acme', 'rotate', 'key', 'lbefazajt2po', '{"id": "lbefazajt2po", "label": "first", "tenant": "acme", "version": 0, "createdAt": "2026-11-21T23:59:27.983329Z", "expiresAt": null, "revokedAt": null}', '{"id": "lbefazajt2po", "label": "first", "tenant": "acme", "version": 1, "createdAt": "2026-11-21T23:59:27.983329Z", "expiresAt": "2026-11-22T00:00:28.047662Z", "revokedAt": null}', '{lbefazajt2po}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (12, '2026-11-21 23:59:28.08651+00', 'local-admin', 'platform-admin', 'acme', 'create', 'key', 'b44orgm7k2pw', NULL, '{"id": "b44orgm7k2pw", "label": "first", "tenant": "acme", "version": 0, "createdAt": "2026-11-21T23:59:28.078689Z", "expiresAt": null, "revokedAt": null}', '{b44orgm7k2pw}', '{}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (13, '2026-11-21 23:59:28.354104+00', 'local-admin', 'platform-admin', 'acme', 'create', 'account', 'acme-prod', NULL, '{"ready": false, "state": "active", "limits": {"operations": 0, "bytesPerSecond": 0}, "tenant": "acme", "version": 2, "replicas": [{"proof": {"blob": "kv/v1/owner/cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM", "content": "cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM"}, "state": "unproven", "region": "eu-1", "report": null, "vouched": false, "endpoint": "https://acmeeu.blob.core.windows.net", "container": "blocks", "credential": "managed-identity", "createContainer": false}, {"proof": {"blob": "kv/v1/owner/8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM", "content": "8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM"}, "state": "unproven", "region": "us-1", "report": null, "vouched": false, "endpoint": "https://acmeus.blob.core.windows.net", "container": "blocks", "credential": "keyvault:https://acme.vault.azure.net/secrets/sas", "createContainer": false}], "createdAt": "2026-11-21T23:59:28.203762Z", "updatedAt": "2026-11-21T23:59:28.204679Z", "homeRegion": "eu-1", "resourceName": "acme-prod"}', '{}', '{acme-prod}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (14, '2026-11-21 23:59:28.472711+00', 'local-admin', 'platform-admin', 'acme', 'create', 'account', 'acme-local', NULL, '{"ready": false, "state": "active", "limits": {"operations": 0, "bytesPerSecond": 0}, "tenant": "acme", "version": 1, "replicas": [{"proof": null, "state": "unproven", "region": "eu-1", "report": null, "vouched": true, "endpoint": "file:///var/lib/kvstore/acme", "container": null, "credential": null, "createContainer": false}], "createdAt": "2026-11-21T23:59:28.452823Z", "updatedAt": "2026-11-21T23:59:28.452913Z", "homeRegion": "eu-1", "resourceName": "acme-local"}', '{}', '{acme-local}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (15, '2026-11-21 23:59:28.527353+00', 'local-admin', 'platform-admin', 'acme', 'create', 'account', 'acme-old', NULL, '{"ready": false, "state": "active", "limits": {"operations": 0, "bytesPerSecond": 0}, "tenant": "acme", "version": 1, "replicas": [{"proof": {"blob": "kv/v1/owner/2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI", "content": "2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI"}, "state": "unproven", "region": "eu-1", "report": null, "vouched": false, "endpoint": "https://acmeold.blob.core.windows.net", "container": "blocks", "credential": "managed-identity", "createContainer": false}], "createdAt": "2026-11-21T23:59:28.503818Z", "updatedAt": "2026-11-21T23:59:28.503862Z", "homeRegion": "eu-1", "resourceName": "acme-old"}', '{}', '{acme-old}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (16, '2026-11-21 23:59:28.638131+00', 'local-admin', 'platform-admin', 'acme', 'update', 'account', 'acme-prod', '{"ready": false, "state": "active", "limits": {"operations": 0, "bytesPerSecond": 0}, "tenant": "acme", "version": 2, "replicas": [{"proof": {"blob": "kv/v1/owner/8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM", "content": "8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM"}, "state": "unproven", "region": "us-1", "report": null, "vouched": false, "endpoint": "https://acmeus.blob.core.windows.net", "container": "blocks", "credential": "keyvault:https://acme.vault.azure.net/secrets/sas", "createContainer": false}, {"proof": {"blob": "kv/v1/owner/cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM", "content": "cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM"}, "state": "unproven", "region": "eu-1", "report": null, "vouched": false, "endpoint": "https://acmeeu.blob.core.windows.net", "container": "blocks", "credential": "managed-identity", "createContainer": false}], "createdAt": "2026-11-21T23:59:28.203762Z", "updatedAt": "2026-11-21T23:59:28.204679Z", "homeRegion": "eu-1", "resourceName": "acme-prod"}', '{"ready": false, "state": "active", "limits": {"operations": 10, "bytesPerSecond": 1000000}, "tenant": "acme", "version": 3, "replicas": [{"proof": {"blob": "kv/v1/owner/8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM", "content": "8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM"}, "state": "unproven", "region": "us-1", "report": null, "vouched": false, "endpoint": "https://acmeus.blob.core.windows.net", "container": "blocks", "credential": "keyvault:https://acme.vault.azure.net/secrets/sas", "createContainer": false}, {"proof": {"blob": "kv/v1/owner/cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM", "content": "cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM"}, "state": "unproven", "region": "eu-1", "report": null, "vouched": false, "endpoint": "https://acmeeu.blob.core.windows.net", "container": "blocks", "credential": "managed-identity", "createContainer": false}], "createdAt": "2026-11-21T23:59:28.203762Z", "updatedAt": "2026-11-21T23:59:28.625979Z", "homeRegion": "eu-1", "resourceName": "acme-prod"}', '{}', '{acme-prod}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (17, '2026-11-21 23:59:28.765138+00', 'local-admin', 'platform-admin', 'acme', 'create', 'grant', 'acme-prod/provider', NULL, '{"name": "provider", "keyId": null, "access": ["read", "write"], "grantee": "provider", "version": 0, "createdAt": "2026-11-21T23:59:28.746635Z", "expiresAt": null, "partition": "llama/rev1", "resourceName": "acme-prod"}', '{}', '{acme-prod}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (18, '2026-11-21 23:59:28.843029+00', 'local-admin', 'platform-admin', 'acme', 'create', 'grant', 'acme-prod/one-key', NULL, '{"name": "one-key", "keyId": "nm218jutv186", "access": ["read"], "grantee": "provider", "version": 0, "createdAt": "2026-11-21T23:59:28.837698Z", "expiresAt": null, "partition": null, "resourceName": "acme-prod"}', '{}', '{acme-prod}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (19, '2026-11-21 23:59:28.91971+00', 'local-admin', 'platform-admin', 'acme', 'create', 'placement', 'acme-prod/eu-1', NULL, '{"pinned": true, "region": "eu-1", "cluster": "eu-1-a", "version": 0, "resourceName": "acme-prod"}', '{}', '{acme-prod}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (20, '2026-11-21 23:59:28.978802+00', 'local-admin', 'platform-admin', 'acme', 'delete', 'account', 'acme-old', '{"ready": false, "state": "active", "limits": {"operations": 0, "bytesPerSecond": 0}, "tenant": "acme", "version": 1, "replicas": [{"proof": {"blob": "kv/v1/owner/2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI", "content": "2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI"}, "state": "unproven", "region": "eu-1", "report": null, "vouched": false, "endpoint": "https://acmeold.blob.core.windows.net", "container": "blocks", "credential": "managed-identity", "createContainer": false}], "createdAt": "2026-11-21T23:59:28.503818Z", "updatedAt": "2026-11-21T23:59:28.503862Z", "homeRegion": "eu-1", "resourceName": "acme-old"}', '{"ready": false, "state": "deleted", "limits": {"operations": 0, "bytesPerSecond": 0}, "tenant": "acme", "version": 2, "replicas": [{"proof": {"blob": "kv/v1/owner/2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI", "content": "2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI"}, "state": "unproven", "region": "eu-1", "report": null, "vouched": false, "endpoint": "https://acmeold.blob.core.windows.net", "container": "blocks", "credential": "managed-identity", "createContainer": false}], "createdAt": "2026-11-21T23:59:28.503818Z", "updatedAt": "2026-11-21T23:59:28.969713Z", "homeRegion": "eu-1", "resourceName": "acme-old"}', '{}', '{acme-old}');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (21, '2026-11-21 23:59:29.09611+00', 'local-admin', 'platform-admin', 'gone', 'delete', 'tenant', 'gone', '{"name": "gone", "state": "active", "version": 0, "createdAt": "2026-11-21T23:59:27.634078Z", "updatedAt": "2026-11-21T23:59:27.634112Z", "displayName": "gone"}', '{"name": "gone", "state": "deleted", "version": 1, "createdAt": "2026-11-21T23:59:27.634078Z", "updatedAt": "2026-11-21T23:59:29.066599Z", "displayName": "gone"}', '{}', '{}');
INSERT INTO public.cluster VALUES ('eu-1-a', 'eu-1', 'ACTIVE', '2026-11-21 23:59:27.340646+00', '2026-11-21 23:59:27.340715+00', 0);
INSERT INTO public.history_of_account VALUES (1, '0', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', NULL, 'postgres', '2026-11-21 23:59:17.742223', 0, true);
INSERT INTO public.history_of_account VALUES (2, '1', 'accounts', 'SQL', 'V1__accounts.sql', 1120705323, 'postgres', '2026-11-21 23:59:17.799778', 56, true);
INSERT INTO public.history_of_change VALUES (1, '1', 'change', 'SQL', 'V1__change.sql', 613254824, 'postgres', '2026-11-21 23:59:17.324676', 30, true);
INSERT INTO public.history_of_cluster VALUES (1, '0', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', NULL, 'postgres', '2026-11-21 23:59:18.118617', 0, true);
INSERT INTO public.history_of_cluster VALUES (2, '1', 'clusters', 'SQL', 'V1__clusters.sql', 692776392, 'postgres', '2026-11-21 23:59:18.184738', 32, true);
INSERT INTO public.placement VALUES ('acme-prod', 'eu-1', 'eu-1-a', true, 0);
INSERT INTO public.process VALUES ('eu-1-a', 'n0', '10.0.0.1:8085', 0, '2026-11-21 23:59:27.422289+00', 0);
INSERT INTO public.region VALUES ('eu-1', 'Europe', '2026-11-21 23:59:26.451401+00', 0);
INSERT INTO public.region VALUES ('us-1', 'us-1', '2026-11-21 23:59:27.009158+00', 0);
INSERT INTO public.replica VALUES ('acme-prod', 'us-1', 'https://acmeus.blob.core.windows.net', 'blocks', 'keyvault:https://acme.vault.azure.net/secrets/sas', false, false, '8vEsK8ePGTCVZh_-ogi5PNHjMCuPPWALIUJtjQilsfM', 'UNPROVEN', NULL, NULL, '2026-11-21 23:59:28.333436+00');
INSERT INTO public.replica VALUES ('acme-prod', 'eu-1', 'https://acmeeu.blob.core.windows.net', 'blocks', 'managed-identity', false, false, 'cMPvY9WZLNQ9OYxOsW9YulYbhnoX22ZTUf6xrC95aqM', 'READY', '{"at": "2026-11-20T00:00:00Z", "by": "n0", "ok": true, "steps": []}', '2026-11-21 23:59:29.269095+00', '2026-11-21 23:59:28.30216+00');
INSERT INTO public.replica VALUES ('acme-local', 'eu-1', 'file:///var/lib/kvstore/acme', '', '', false, true, 'TetX-IXqvGLnTnm3HIJvyp3ORve2pIa7YoVLvU6ACkE', 'READY', '{"at": "2026-11-20T00:00:00Z", "by": "n0", "ok": true, "steps": []}', '2026-11-21 23:59:29.269095+00', '2026-11-21 23:59:28.460325+00');
INSERT INTO public.replica VALUES ('acme-old', 'eu-1', 'https://acmeold.blob.core.windows.net', 'blocks', 'managed-identity', false, false, '2DRJYo5I3mSPFecYIFyb4h-39Ku-zTjZS0_bIaYIHcI', 'READY', '{"at": "2026-11-20T00:00:00Z", "by": "n0", "ok": true, "steps": []}', '2026-11-21 23:59:29.269095+00', '2026-11-21 23:59:28.513353+00');
INSERT INTO public.round_trip VALUES ('eu-1', 'us-1', 80000, 0);
INSERT INTO public.tenant VALUES ('acme', 'Acme', 'ACTIVE', '2026-11-21 23:59:27.49352+00', '2026-11-21 23:59:27.493593+00', 0);
INSERT INTO public.tenant VALUES ('provider', 'provider', 'ACTIVE', '2026-11-21 23:59:27.589109+00', '2026-11-21 23:59:27.589157+00', 0);
INSERT INTO public.tenant VALUES ('gone', 'gone', 'DELETED', '2026-11-21 23:59:27.634078+00', '2026-11-21 23:59:29.066599+00', 1);
SELECT pg_catalog.setval('public.change_id_seq', 21, true);
ALTER TABLE ONLY public.account_grant
    ADD CONSTRAINT account_grant_pkey PRIMARY KEY (resource_name, name);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (resource_name);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cluster
    ADD CONSTRAINT cluster_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.history_of_account
    ADD CONSTRAINT history_of_account_pk PRIMARY KEY (installed_rank);
ALTER TABLE ONLY public.history_of_change
    ADD CONSTRAINT history_of_change_pk PRIMARY KEY (installed_rank);
ALTER TABLE ONLY public.history_of_cluster
    ADD CONSTRAINT history_of_cluster_pk PRIMARY KEY (installed_rank);
ALTER TABLE ONLY public.placement
    ADD CONSTRAINT placement_pkey PRIMARY KEY (resource_name, region);
ALTER TABLE ONLY public.process
    ADD CONSTRAINT process_address_key UNIQUE (address);
ALTER TABLE ONLY public.process
    ADD CONSTRAINT process_pkey PRIMARY KEY (cluster, name);
ALTER TABLE ONLY public.region
    ADD CONSTRAINT region_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.replica
    ADD CONSTRAINT replica_endpoint_container_key UNIQUE (endpoint, container);
ALTER TABLE ONLY public.replica
    ADD CONSTRAINT replica_pkey PRIMARY KEY (resource_name, region);
ALTER TABLE ONLY public.round_trip
    ADD CONSTRAINT round_trip_pkey PRIMARY KEY (one, other);
ALTER TABLE ONLY public.tenant
    ADD CONSTRAINT tenant_pkey PRIMARY KEY (name);
CREATE INDEX account_grant_grantee ON public.account_grant USING btree (grantee, resource_name);
CREATE INDEX account_tenant ON public.account USING btree (tenant, resource_name);
CREATE INDEX api_key_tenant ON public.api_key USING btree (tenant, id);
CREATE INDEX change_actor ON public.change USING btree (actor, id);
CREATE INDEX change_subject ON public.change USING btree (kind, name, id);
CREATE INDEX change_tenant ON public.change USING btree (tenant, id);
CREATE INDEX cluster_region ON public.cluster USING btree (region, name);
CREATE INDEX history_of_account_s_idx ON public.history_of_account USING btree (success);
CREATE INDEX history_of_change_s_idx ON public.history_of_change USING btree (success);
CREATE INDEX history_of_cluster_s_idx ON public.history_of_cluster USING btree (success);
CREATE INDEX replica_to_probe ON public.replica USING btree (probe_after) WHERE (state <> 'READY'::text);
ALTER TABLE ONLY public.account_grant
    ADD CONSTRAINT account_grant_grantee_fkey FOREIGN KEY (grantee) REFERENCES public.tenant(name);
ALTER TABLE ONLY public.account_grant
    ADD CONSTRAINT account_grant_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_key(id);
ALTER TABLE ONLY public.account_grant
    ADD CONSTRAINT account_grant_resource_name_fkey FOREIGN KEY (resource_name) REFERENCES public.account(resource_name);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_tenant_fkey FOREIGN KEY (tenant) REFERENCES public.tenant(name);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_tenant_fkey FOREIGN KEY (tenant) REFERENCES public.tenant(name);
ALTER TABLE ONLY public.cluster
    ADD CONSTRAINT cluster_region_fkey FOREIGN KEY (region) REFERENCES public.region(name);
ALTER TABLE ONLY public.placement
    ADD CONSTRAINT placement_resource_name_fkey FOREIGN KEY (resource_name) REFERENCES public.account(resource_name);
ALTER TABLE ONLY public.process
    ADD CONSTRAINT process_cluster_fkey FOREIGN KEY (cluster) REFERENCES public.cluster(name);
ALTER TABLE ONLY public.replica
    ADD CONSTRAINT replica_resource_name_fkey FOREIGN KEY (resource_name) REFERENCES public.account(resource_name);
ALTER TABLE ONLY public.round_trip
    ADD CONSTRAINT round_trip_one_fkey FOREIGN KEY (one) REFERENCES public.region(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.round_trip
    ADD CONSTRAINT round_trip_other_fkey FOREIGN KEY (other) REFERENCES public.region(name) ON DELETE CASCADE;
