ALTER TABLE "organization" ADD COLUMN "separates_prefixes" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- What the keys of an organization may reuse is read together with each key.
CREATE FUNCTION "record_keys_of_organizations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("api_key"."organization_id"), array_agg("api_key"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "api_key" ON "api_key"."organization_id" = "after"."id"
		WHERE "before"."separates_prefixes" <> "after"."separates_prefixes" AND "api_key"."revoked_at" IS NULL;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "organization_changes_keys" AFTER UPDATE ON "organization" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_keys_of_organizations"();
