-- Changes of access are announced to all gateways the moment they are committed.
CREATE OR REPLACE FUNCTION "record_access_changes"(changed_kind text, organizations text[], objects text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	ring CONSTANT integer := 10000;
	added bigint := coalesce(cardinality(objects), 0);
	latest bigint;
BEGIN
	IF added = 0 THEN RETURN; END IF;
	UPDATE "access_revision" SET "value" = "value" + added WHERE "name" = changed_kind RETURNING "value" INTO latest;
	INSERT INTO "access_change" ("kind", "slot", "revision", "organization_id", "object_id")
		SELECT changed_kind, (latest - added + number) % ring, latest - added + number, organization, object
		FROM unnest(organizations, objects) WITH ORDINALITY AS changed(organization, object, number)
		-- Of more changes than the ring has slots, only the last ones fit.
		WHERE number > added - ring
		ON CONFLICT ("kind", "slot") DO UPDATE
		SET "revision" = excluded."revision", "organization_id" = excluded."organization_id", "object_id" = excluded."object_id";
	PERFORM pg_notify('hearth_access', '');
END $$;
