ALTER TABLE "model" DROP CONSTRAINT "model_state";--> statement-breakpoint
ALTER TABLE "model" ADD CONSTRAINT "model_state" CHECK ("model"."state" in ('enabled', 'disabled', 'removed', 'adding'));