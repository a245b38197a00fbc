CREATE INDEX "api_key_playground_expiry" ON "api_key" USING btree ("expires_at") WHERE "api_key"."session_id" is not null;--> statement-breakpoint
-- From here on, session tokens are stored as digests. Nobody is signed out.
UPDATE "session" SET "token" = encode(sha256(convert_to("token", 'UTF8')), 'hex');
--> statement-breakpoint
-- Nothing needs the provider's tokens after signing in.
UPDATE "account" SET "access_token" = NULL, "refresh_token" = NULL, "id_token" = NULL;
