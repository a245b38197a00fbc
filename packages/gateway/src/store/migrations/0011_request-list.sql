CREATE TABLE "recent_request" (
	"organization_id" text NOT NULL,
	"slot" integer NOT NULL,
	"number" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request" text NOT NULL,
	"key_id" text NOT NULL,
	"model" text NOT NULL,
	"device_id" text NOT NULL,
	"code" text NOT NULL,
	"prompt_tokens" integer NOT NULL,
	"completion_tokens" integer NOT NULL,
	"wait_ms" integer NOT NULL,
	"first_token_ms" integer,
	"total_ms" integer NOT NULL,
	"attempts" integer NOT NULL,
	"is_stream" boolean NOT NULL,
	CONSTRAINT "recent_request_key" PRIMARY KEY("organization_id","slot")
);
--> statement-breakpoint
CREATE TABLE "request_count" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_code" (
	"hour" timestamp with time zone NOT NULL,
	"organization_id" text NOT NULL,
	"key_id" text NOT NULL,
	"model" text NOT NULL,
	"device_id" text NOT NULL,
	"code" text NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "usage_code_key" PRIMARY KEY("organization_id","hour","key_id","model","device_id","code")
);
--> statement-breakpoint
ALTER TABLE "usage_hour" ADD COLUMN "busy_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_hour" ADD COLUMN "times" integer[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
-- A request replaces the one before it in its slot. Free space in each page lets that happen in place, without a vacuum.
ALTER TABLE "recent_request" SET (fillfactor = 50);
