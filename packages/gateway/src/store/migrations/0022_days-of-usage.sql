CREATE TABLE "usage_day" (
	"hour" timestamp with time zone NOT NULL,
	"organization_id" text NOT NULL,
	"key_id" text NOT NULL,
	"model" text NOT NULL,
	"device_id" text NOT NULL,
	"requests" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"wait_ms" bigint NOT NULL,
	"busy_ms" bigint DEFAULT 0 NOT NULL,
	"times" integer[] DEFAULT '{}' NOT NULL,
	"by" text NOT NULL,
	CONSTRAINT "usage_day_key" PRIMARY KEY("organization_id","by","hour","key_id","model","device_id")
);
--> statement-breakpoint
-- Errors are failures of the service from now on. What clients did wrong stays with its code.
UPDATE "usage_hour" SET "errors" = "errors" - "rejected"."requests" FROM (
	SELECT "hour", "organization_id", "key_id", "model", "device_id", sum("requests") AS "requests" FROM "usage_code"
	WHERE "code" NOT IN ('server_error', 'model_unavailable', 'seal_rejected', 'seal_mismatch', 'database_unavailable', 'service_unavailable')
	GROUP BY 1, 2, 3, 4, 5
) AS "rejected"
WHERE "usage_hour"."organization_id" = "rejected"."organization_id" AND "usage_hour"."hour" = "rejected"."hour"
	AND "usage_hour"."key_id" = "rejected"."key_id" AND "usage_hour"."model" = "rejected"."model"
	AND "usage_hour"."device_id" = "rejected"."device_id" AND "usage_hour"."errors" >= "rejected"."requests";
--> statement-breakpoint
-- The sums of what is there already: of the counters, and of each of the 84 places of the histograms.
DO $$ BEGIN
	EXECUTE (SELECT 'INSERT INTO "usage_day" ("hour", "organization_id", "by", "key_id", "model", "device_id",
			"requests", "errors", "prompt_tokens", "completion_tokens", "wait_ms", "busy_ms", "times")
		SELECT date_trunc(''day'', "hour", ''UTC''), "organization_id",
			CASE grouping("key_id", "model", "device_id") WHEN 3 THEN ''key'' WHEN 5 THEN ''model'' WHEN 6 THEN ''device''
				WHEN 1 THEN ''key model'' WHEN 2 THEN ''key device'' ELSE ''model device'' END,
			coalesce("key_id", ''''), coalesce("model", ''''), coalesce("device_id", ''''),
			sum("requests"), sum("errors"), sum("prompt_tokens"), sum("completion_tokens"), sum("wait_ms"), sum("busy_ms"),
			array[' || string_agg(format('coalesce(sum("times"[%s]), 0)', "place"), ', ' ORDER BY "place") || ']::integer[]
		FROM "usage_hour" GROUP BY 1, 2, GROUPING SETS (("key_id"), ("model"), ("device_id"),
			("key_id", "model"), ("key_id", "device_id"), ("model", "device_id"))' FROM generate_series(1, 84) AS "place");
END $$;
--> statement-breakpoint
-- Old entries of the audit log may be deleted. How old is a setting, of half a year at least.
CREATE OR REPLACE FUNCTION "keep_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."at" < now() - interval '180 days' THEN RETURN OLD; END IF;
	IF EXISTS (SELECT FROM "organization" WHERE "id" = OLD."organization_id" AND "deletes_at" <= now()) THEN RETURN OLD; END IF;
	RAISE EXCEPTION 'the audit log only grows';
END $$;
