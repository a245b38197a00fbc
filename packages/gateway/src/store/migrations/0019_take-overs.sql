ALTER TABLE "recent_request" ADD COLUMN "left_device_id" text;--> statement-breakpoint
ALTER TABLE "recent_request" ADD COLUMN "gap_ms" integer;