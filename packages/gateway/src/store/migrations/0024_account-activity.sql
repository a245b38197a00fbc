CREATE TABLE "account_activity" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"event" text NOT NULL,
	"way" text,
	"address" text,
	"browser" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"times" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "two_factor" ADD COLUMN "last_step" bigint;--> statement-breakpoint
ALTER TABLE "account_activity" ADD CONSTRAINT "account_activity_person_id_person_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."person"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_activity_person" ON "account_activity" USING btree ("person_id","id");--> statement-breakpoint
-- From now on, a session ends 30 days after its person signed in.
UPDATE "session" SET "expires_at" = least("expires_at", "created_at" + interval '30 days');
