ALTER TABLE "organization" ADD COLUMN "deletes_at" timestamp with time zone;
--> statement-breakpoint
-- Keys and devices of an organization that is being deleted lose their access, and get it back if it is restored.
CREATE OR REPLACE FUNCTION "record_keys_of_organizations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("api_key"."organization_id"), array_agg("api_key"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "api_key" ON "api_key"."organization_id" = "after"."id"
		WHERE ("before"."separates_prefixes", "before"."deletes_at") IS DISTINCT FROM ("after"."separates_prefixes", "after"."deletes_at")
			AND "api_key"."revoked_at" IS NULL;
	PERFORM "record_access_changes"('devices', array_agg("device"."organization_id"), array_agg("device"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "device" ON "device"."organization_id" = "after"."id"
		WHERE "before"."deletes_at" IS DISTINCT FROM "after"."deletes_at";
	RETURN NULL;
END $$;
--> statement-breakpoint
-- The audit log of an organization ends with the organization.
CREATE FUNCTION "keep_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM "organization" WHERE "id" = OLD."organization_id" AND "deletes_at" <= now()) THEN RETURN OLD; END IF;
	RAISE EXCEPTION 'the audit log only grows';
END $$;
--> statement-breakpoint
DROP TRIGGER "audit_log_only_grows" ON "audit_log";
--> statement-breakpoint
CREATE TRIGGER "audit_log_only_grows" BEFORE UPDATE OR TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit_log"();
--> statement-breakpoint
CREATE TRIGGER "audit_log_stays" BEFORE DELETE ON "audit_log"
	FOR EACH ROW EXECUTE FUNCTION "keep_audit_log"();
