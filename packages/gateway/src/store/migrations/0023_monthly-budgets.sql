CREATE TABLE "usage_month" (
	"month" timestamp with time zone NOT NULL,
	"organization_id" text NOT NULL,
	"holder" text NOT NULL,
	"id" text NOT NULL,
	"tokens" bigint NOT NULL,
	CONSTRAINT "usage_month_key" PRIMARY KEY("month","organization_id","holder","id")
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "tokens_per_month" bigint;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "tokens_per_month" bigint;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "tokens_per_month" bigint;--> statement-breakpoint
CREATE INDEX "api_key_budget" ON "api_key" USING btree ("id") WHERE "api_key"."tokens_per_month" is not null;--> statement-breakpoint
CREATE INDEX "member_budget" ON "member" USING btree ("person_id") WHERE "member"."tokens_per_month" is not null;--> statement-breakpoint
-- What this month has used already.
INSERT INTO "usage_month" ("month", "organization_id", "holder", "id", "tokens")
SELECT date_trunc('month', "hour", 'UTC'), "usage_day"."organization_id",
	CASE grouping("key_id", "created_by") WHEN 1 THEN 'key' WHEN 2 THEN 'member' ELSE 'organization' END,
	coalesce("key_id", "created_by", "usage_day"."organization_id"), sum("prompt_tokens" + "completion_tokens")
FROM "usage_day" LEFT JOIN "api_key" ON "api_key"."id" = "key_id"
WHERE "by" = 'key' AND "hour" >= date_trunc('month', now(), 'UTC')
GROUP BY 1, 2, GROUPING SETS (("key_id"), ("created_by"), ())
HAVING grouping("created_by") = 1 OR "created_by" IS NOT NULL;
--> statement-breakpoint
-- Budgets decide about requests, and are read together with each key: its own, its creator's and the organization's.
CREATE OR REPLACE FUNCTION "record_changed_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("organization_id"), array_agg("id"))
		FROM "before" FULL JOIN "after" USING ("organization_id", "id")
		WHERE ("before"."created_by", "before"."digest", "before"."expires_at", "before"."revoked_at", "before"."models",
				"before"."requests_per_minute", "before"."tokens_per_minute", "before"."jobs_at_once", "before"."tokens_per_month",
				"before"."disabled_at", "before"."previous_digest", "before"."previous_ends_at")
			IS DISTINCT FROM ("after"."created_by", "after"."digest", "after"."expires_at", "after"."revoked_at", "after"."models",
				"after"."requests_per_minute", "after"."tokens_per_minute", "after"."jobs_at_once", "after"."tokens_per_month",
				"after"."disabled_at", "after"."previous_digest", "after"."previous_ends_at");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "record_keys_of_organizations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("api_key"."organization_id"), array_agg("api_key"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "api_key" ON "api_key"."organization_id" = "after"."id"
		WHERE ("before"."separates_prefixes", "before"."sealing", "before"."deletes_at", "before"."tokens_per_month")
			IS DISTINCT FROM ("after"."separates_prefixes", "after"."sealing", "after"."deletes_at", "after"."tokens_per_month")
			AND "api_key"."revoked_at" IS NULL;
	PERFORM "record_access_changes"('devices', array_agg("device"."organization_id"), array_agg("device"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "device" ON "device"."organization_id" = "after"."id"
		WHERE "before"."deletes_at" IS DISTINCT FROM "after"."deletes_at";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "record_keys_of_members"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("api_key"."organization_id"), array_agg("api_key"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "api_key"
			ON "api_key"."organization_id" = "after"."organization_id" AND "api_key"."created_by" = "after"."person_id"
		WHERE "before"."tokens_per_month" IS DISTINCT FROM "after"."tokens_per_month" AND "api_key"."revoked_at" IS NULL;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "member_changes_keys" AFTER UPDATE ON "member" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "record_keys_of_members"();
