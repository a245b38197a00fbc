CREATE TABLE "signed_list" (
	"organization_id" text NOT NULL,
	"kind" text NOT NULL,
	"number" bigint NOT NULL,
	"text" text NOT NULL,
	"key" text NOT NULL,
	"signature" text NOT NULL,
	"put_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "signed_list_key" PRIMARY KEY("organization_id","kind"),
	CONSTRAINT "signed_list_kind" CHECK ("signed_list"."kind" in ('administrators', 'devices'))
);
--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "sealing" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "recent_request" ADD COLUMN "is_sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "signed_list" ADD CONSTRAINT "signed_list_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization" ADD CONSTRAINT "organization_sealing" CHECK ("organization"."sealing" in ('off', 'optional', 'required'));--> statement-breakpoint
-- Whether keys of an organization may send plain and sealed requests is read together with each key.
CREATE OR REPLACE FUNCTION "record_keys_of_organizations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('keys', array_agg("api_key"."organization_id"), array_agg("api_key"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "api_key" ON "api_key"."organization_id" = "after"."id"
		WHERE ("before"."separates_prefixes", "before"."sealing", "before"."deletes_at")
			IS DISTINCT FROM ("after"."separates_prefixes", "after"."sealing", "after"."deletes_at")
			AND "api_key"."revoked_at" IS NULL;
	PERFORM "record_access_changes"('devices', array_agg("device"."organization_id"), array_agg("device"."id"))
		FROM "before" JOIN "after" ON "after"."id" = "before"."id" JOIN "device" ON "device"."organization_id" = "after"."id"
		WHERE "before"."deletes_at" IS DISTINCT FROM "after"."deletes_at";
	RETURN NULL;
END $$;
