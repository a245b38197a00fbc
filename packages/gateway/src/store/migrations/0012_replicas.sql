CREATE SEQUENCE "public"."link_epoch" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "replica" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"version" text NOT NULL,
	"acknowledged" bigint DEFAULT 0 NOT NULL,
	"turn" bigint DEFAULT 0 NOT NULL,
	"peers" bigint[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replica_generation" (
	"value" bigint NOT NULL
);

--> statement-breakpoint
INSERT INTO "replica_generation" ("value") VALUES (0);
--> statement-breakpoint
-- Renewed twice a second by each gateway. Free space in the page lets that happen in place, without a vacuum.
ALTER TABLE "replica" SET (fillfactor = 20);
