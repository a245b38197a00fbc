ALTER TABLE "person" ADD COLUMN "deleted_at" timestamp with time zone;
--> statement-breakpoint
-- Someone who signs in or joins at the moment in which their account is deleted waits for the deletion, and then fails.
CREATE FUNCTION "reject_deleted_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM "person" WHERE "id" = NEW."person_id" AND "deleted_at" IS NULL FOR KEY SHARE;
	IF NOT FOUND THEN RAISE EXCEPTION 'the account was deleted' USING ERRCODE = 'foreign_key_violation'; END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "member_exists" BEFORE INSERT ON "member" FOR EACH ROW EXECUTE FUNCTION "reject_deleted_person"();
--> statement-breakpoint
CREATE TRIGGER "session_has_person" BEFORE INSERT ON "session" FOR EACH ROW EXECUTE FUNCTION "reject_deleted_person"();
--> statement-breakpoint
CREATE TRIGGER "account_has_person" BEFORE INSERT ON "account" FOR EACH ROW EXECUTE FUNCTION "reject_deleted_person"();
--> statement-breakpoint
CREATE TRIGGER "passkey_has_person" BEFORE INSERT ON "passkey" FOR EACH ROW EXECUTE FUNCTION "reject_deleted_person"();
--> statement-breakpoint
CREATE TRIGGER "two_factor_has_person" BEFORE INSERT ON "two_factor" FOR EACH ROW EXECUTE FUNCTION "reject_deleted_person"();
