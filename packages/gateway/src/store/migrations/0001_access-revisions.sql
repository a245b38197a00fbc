-- A revision moves in the transaction that changes what it names, so whoever reads a new revision also sees the change.
-- The row lock on access_revision makes such transactions commit one after another: no revision is ever read out of order.
INSERT INTO "access_revision" ("name", "value") VALUES ('keys', 1), ('models', 1), ('devices', 1);
--> statement-breakpoint
CREATE FUNCTION "move_access_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "access_revision" SET "value" = "value" + 1 WHERE "name" = TG_ARGV[0];
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "api_key_comes_or_goes" AFTER INSERT OR DELETE ON "api_key"
	FOR EACH ROW EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
-- Not for last_used_at: using a key changes nothing about access.
CREATE TRIGGER "api_key_changes" AFTER UPDATE ON "api_key" FOR EACH ROW
	WHEN ((OLD."organization_id", OLD."created_by", OLD."digest", OLD."expires_at", OLD."revoked_at")
		IS DISTINCT FROM (NEW."organization_id", NEW."created_by", NEW."digest", NEW."expires_at", NEW."revoked_at"))
	EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
CREATE TRIGGER "member_comes_or_goes" AFTER INSERT OR DELETE ON "member"
	FOR EACH ROW EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
CREATE TRIGGER "member_changes" AFTER UPDATE ON "member" FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
	EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
CREATE TRIGGER "organization_comes_or_goes" AFTER INSERT OR DELETE ON "organization"
	FOR EACH ROW EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
CREATE TRIGGER "organization_changes" AFTER UPDATE ON "organization" FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
	EXECUTE FUNCTION "move_access_revision"('keys');
--> statement-breakpoint
CREATE TRIGGER "model_comes_or_goes" AFTER INSERT OR DELETE ON "model"
	FOR EACH ROW EXECUTE FUNCTION "move_access_revision"('models');
--> statement-breakpoint
CREATE TRIGGER "model_changes" AFTER UPDATE ON "model" FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
	EXECUTE FUNCTION "move_access_revision"('models');
--> statement-breakpoint
CREATE TRIGGER "device_comes_or_goes" AFTER INSERT OR DELETE ON "device"
	FOR EACH ROW EXECUTE FUNCTION "move_access_revision"('devices');
--> statement-breakpoint
-- Not for app and last_seen_at: being seen changes nothing about access.
CREATE TRIGGER "device_changes" AFTER UPDATE ON "device" FOR EACH ROW
	WHEN ((OLD."organization_id", OLD."name", OLD."credential_digest")
		IS DISTINCT FROM (NEW."organization_id", NEW."name", NEW."credential_digest"))
	EXECUTE FUNCTION "move_access_revision"('devices');
--> statement-breakpoint
-- The keys of a member who leaves are revoked for good: coming back does not bring them to life.
CREATE FUNCTION "revoke_keys_of_former_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "api_key" SET "revoked_at" = now()
		WHERE "organization_id" = OLD."organization_id" AND "created_by" = OLD."person_id" AND "revoked_at" IS NULL;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "member_leaves" AFTER DELETE ON "member"
	FOR EACH ROW EXECUTE FUNCTION "revoke_keys_of_former_member"();
