ALTER TABLE "device" ADD COLUMN "machine" jsonb;
--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "address" text;
--> statement-breakpoint
ALTER TABLE "device_code" ADD COLUMN "machine" jsonb;
--> statement-breakpoint
ALTER TABLE "model" ADD COLUMN "defaults" jsonb;
--> statement-breakpoint
-- Devices get the defaults of their models, so a change has to reach every gateway.
CREATE OR REPLACE FUNCTION "record_changed_models"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "record_access_changes"('models', array_agg("organization_id"), array_agg("name"))
		FROM "before" FULL JOIN "after" USING ("organization_id", "name")
		WHERE ("before"."state", "before"."owned_by", "before"."created_at", "before"."defaults")
			IS DISTINCT FROM ("after"."state", "after"."owned_by", "after"."created_at", "after"."defaults");
	RETURN NULL;
END $$;
