ALTER TABLE "replica" ADD COLUMN "hears" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "replica" ADD COLUMN "is_set_aside" boolean DEFAULT false NOT NULL;