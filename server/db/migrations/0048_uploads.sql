CREATE TABLE "uploads" (
	"id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"is_paused" boolean DEFAULT false NOT NULL,
	"running_since" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_id_owner_id_pk" PRIMARY KEY("id","owner_id")
);
--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "upload_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_upload_of_owner" FOREIGN KEY ("upload_id","owner_id") REFERENCES "public"."uploads"("id","owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_upload" ON "documents" USING btree ("upload_id") WHERE "documents"."upload_id" is not null;