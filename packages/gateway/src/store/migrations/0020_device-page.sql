ALTER TABLE "device" ADD COLUMN "added_by" text;--> statement-breakpoint
ALTER TABLE "device_code" ADD COLUMN "approved_by" text;--> statement-breakpoint
ALTER TABLE "device" ADD CONSTRAINT "device_added_by_person_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."person"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_code" ADD CONSTRAINT "device_code_approved_by_person_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."person"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recent_request_taken_over" ON "recent_request" USING btree ("organization_id") WHERE "recent_request"."left_device_id" is not null;