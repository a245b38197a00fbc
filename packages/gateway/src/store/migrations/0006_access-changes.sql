CREATE TABLE "access_change" (
	"kind" text NOT NULL,
	"slot" integer NOT NULL,
	"revision" bigint NOT NULL,
	"organization_id" text NOT NULL,
	"object_id" text NOT NULL,
	CONSTRAINT "access_change_key" PRIMARY KEY("kind","slot")
);
--> statement-breakpoint
-- A change replaces the one before it in its slot. Free space in each page lets that happen in place, without a vacuum.
ALTER TABLE "access_change" SET (fillfactor = 50);
--> statement-breakpoint
-- Gives every change a revision of its own. The row lock on access_revision makes transactions with changes of one kind commit one after
-- another, so that no revision is ever read out of order. One call for a whole statement: updating the same row again and again in one
-- transaction takes longer each time.
CREATE FUNCTION "record_access_changes"(changed_kind text, organizations text[], objects text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	ring CONSTANT integer := 10000;
	added bigint := coalesce(cardinality(objects), 0);
	latest bigint;
BEGIN
	IF added = 0 THEN RETURN; END IF;
	UPDATE "access_revision" SET "value" = "value" + added WHERE "name" = changed_kind RETURNING "value" INTO latest;
	INSERT INTO "access_change" ("kind", "slot", "revision", "organization_id", "object_id")
		SELECT changed_kind, (latest - added + number) % ring, latest - added + number, organization, object
		FROM unnest(organizations, objects) WITH ORDINALITY AS changed(organization, object, number)
		-- Of more changes than the ring has slots, only the last ones fit.
		WHERE number > added - ring
		ON CONFLICT ("kind", "slot") DO UPDATE
		SET "revision" = excluded."revision", "organization_id" = excluded."organization_id", "object_id" = excluded."object_id";
END $$;
--> statement-breakpoint
-- For members and organizations. Keys that change with them have changes of their own.
CREATE OR REPLACE FUNCTION "move_access_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"(TG_ARGV[0], ARRAY[''], ARRAY['']);
	RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER "api_key_comes_or_goes" ON "api_key";
--> statement-breakpoint
DROP TRIGGER "api_key_changes" ON "api_key";
--> statement-breakpoint
DROP TRIGGER "device_comes_or_goes" ON "device";
--> statement-breakpoint
DROP TRIGGER "device_changes" ON "device";
--> statement-breakpoint
DROP TRIGGER "model_comes_or_goes" ON "model";
--> statement-breakpoint
DROP TRIGGER "model_changes" ON "model";
--> statement-breakpoint
CREATE FUNCTION "record_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("organization_id"), array_agg("id")) FROM "changed";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "api_key_comes" AFTER INSERT ON "api_key" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_keys"();
--> statement-breakpoint
CREATE TRIGGER "api_key_goes" AFTER DELETE ON "api_key" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_keys"();
--> statement-breakpoint
-- Not for last_used_at: using a key changes nothing about access. Updates outside the join have a new id or organization.
CREATE FUNCTION "record_changed_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("organization_id"), array_agg("id"))
		FROM "before" FULL JOIN "after" USING ("organization_id", "id")
		WHERE ("before"."created_by", "before"."digest", "before"."expires_at", "before"."revoked_at", "before"."models",
				"before"."requests_per_minute", "before"."tokens_per_minute", "before"."jobs_at_once")
			IS DISTINCT FROM ("after"."created_by", "after"."digest", "after"."expires_at", "after"."revoked_at", "after"."models",
				"after"."requests_per_minute", "after"."tokens_per_minute", "after"."jobs_at_once");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "api_key_changes" AFTER UPDATE ON "api_key" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_changed_keys"();
--> statement-breakpoint
CREATE FUNCTION "record_devices"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('devices', array_agg("organization_id"), array_agg("id")) FROM "changed";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "device_comes" AFTER INSERT ON "device" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_devices"();
--> statement-breakpoint
CREATE TRIGGER "device_goes" AFTER DELETE ON "device" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_devices"();
--> statement-breakpoint
-- Not for app and last_seen_at: being seen changes nothing about access.
CREATE FUNCTION "record_changed_devices"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('devices', array_agg("organization_id"), array_agg("id"))
		FROM "before" FULL JOIN "after" USING ("organization_id", "id")
		WHERE ("before"."name", "before"."credential_digest", "before"."paused_at")
			IS DISTINCT FROM ("after"."name", "after"."credential_digest", "after"."paused_at");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "device_changes" AFTER UPDATE ON "device" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_changed_devices"();
--> statement-breakpoint
CREATE FUNCTION "record_models"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('models', array_agg("organization_id"), array_agg("name")) FROM "changed";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "model_comes" AFTER INSERT ON "model" REFERENCING NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_models"();
--> statement-breakpoint
CREATE TRIGGER "model_goes" AFTER DELETE ON "model" REFERENCING OLD TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_models"();
--> statement-breakpoint
CREATE FUNCTION "record_changed_models"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('models', array_agg("organization_id"), array_agg("name"))
		FROM "before" FULL JOIN "after" USING ("organization_id", "name")
		WHERE ("before"."state", "before"."owned_by", "before"."created_at")
			IS DISTINCT FROM ("after"."state", "after"."owned_by", "after"."created_at");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "model_changes" AFTER UPDATE ON "model" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_changed_models"();
