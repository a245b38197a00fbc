-- A second factor is written only with the key that is in use. A gateway that has not noticed a rotation yet would otherwise write one that
-- nobody can read afterwards. The prefix is the beginning of a sealed text, up to the id of its key (access/secrets/seal.ts).
CREATE FUNCTION "check_seal"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	prefix text;
BEGIN
	SELECT substring("value" FROM '^sealed:[0-9a-f]+:') INTO prefix FROM "gateway_secret" WHERE "name" = 'session';
	IF prefix IS NOT NULL AND NOT (starts_with(NEW."secret", prefix) AND starts_with(NEW."backup_codes", prefix)) THEN
		RAISE EXCEPTION 'not encrypted with the key in use' USING ERRCODE = 'HS001';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "two_factor_seal" BEFORE INSERT OR UPDATE OF "secret", "backup_codes" ON "two_factor"
	FOR EACH ROW EXECUTE FUNCTION "check_seal"();
