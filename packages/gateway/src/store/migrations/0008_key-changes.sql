ALTER TABLE "api_key" ADD COLUMN "disabled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "previous_digest" text;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "previous_hint" text;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "previous_ends_at" timestamp with time zone;--> statement-breakpoint
-- Whether a key is disabled, and the secret from before a rotation, decide about access too.
CREATE OR REPLACE FUNCTION "record_changed_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("organization_id"), array_agg("id"))
		FROM "before" FULL JOIN "after" USING ("organization_id", "id")
		WHERE ("before"."created_by", "before"."digest", "before"."expires_at", "before"."revoked_at", "before"."models",
				"before"."requests_per_minute", "before"."tokens_per_minute", "before"."jobs_at_once",
				"before"."disabled_at", "before"."previous_digest", "before"."previous_ends_at")
			IS DISTINCT FROM ("after"."created_by", "after"."digest", "after"."expires_at", "after"."revoked_at", "after"."models",
				"after"."requests_per_minute", "after"."tokens_per_minute", "after"."jobs_at_once",
				"after"."disabled_at", "after"."previous_digest", "after"."previous_ends_at");
	RETURN NULL;
END $$;
