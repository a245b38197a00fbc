-- What a key may do is access too.
DROP TRIGGER "api_key_changes" ON "api_key";
--> statement-breakpoint
CREATE TRIGGER "api_key_changes" AFTER UPDATE ON "api_key" FOR EACH ROW
	WHEN ((OLD."organization_id", OLD."created_by", OLD."digest", OLD."expires_at", OLD."revoked_at",
			OLD."models", OLD."requests_per_minute", OLD."tokens_per_minute", OLD."jobs_at_once")
		IS DISTINCT FROM (NEW."organization_id", NEW."created_by", NEW."digest", NEW."expires_at", NEW."revoked_at",
			NEW."models", NEW."requests_per_minute", NEW."tokens_per_minute", NEW."jobs_at_once"))
	EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
DROP TRIGGER "device_changes" ON "device";
--> statement-breakpoint
-- Not for app and last_seen_at: being seen changes nothing about access.
CREATE TRIGGER "device_changes" AFTER UPDATE ON "device" FOR EACH ROW
	WHEN ((OLD."organization_id", OLD."name", OLD."credential_digest", OLD."paused_at")
		IS DISTINCT FROM (NEW."organization_id", NEW."name", NEW."credential_digest", NEW."paused_at"))
	EXECUTE FUNCTION "move_access_revision"('devices');
--> statement-breakpoint
-- A key of the playground ends with the session it was made in, however the session ends.
CREATE FUNCTION "revoke_keys_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "api_key" SET "revoked_at" = now() WHERE "session_id" = OLD."id" AND "revoked_at" IS NULL;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "session_ends" AFTER DELETE ON "session"
	FOR EACH ROW EXECUTE FUNCTION "revoke_keys_of_session"();
--> statement-breakpoint
CREATE FUNCTION "refuse_change_of_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log only grows';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_only_grows" BEFORE UPDATE OR DELETE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit_log"();
