CREATE TABLE "usage_journal" (
	"id" text PRIMARY KEY NOT NULL,
	"last_batch" bigint NOT NULL
);
