CREATE TABLE "zotero_connections" (
	"user_id" text PRIMARY KEY NOT NULL,
	"server" text NOT NULL,
	"sealed_key" text NOT NULL,
	"last_four" text NOT NULL,
	"username" text NOT NULL,
	"libraries" jsonb NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zotero_items" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"zotero_library_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"item_key" text NOT NULL,
	"version" integer NOT NULL,
	"document_id" uuid,
	"reference" jsonb NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"address" text,
	"file" text NOT NULL,
	"file_key" text,
	"removed_at" timestamp with time zone,
	CONSTRAINT "zotero_items_one" UNIQUE("zotero_library_id","item_key")
);
--> statement-breakpoint
CREATE TABLE "zotero_libraries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"created_by" text,
	"server" text NOT NULL,
	"library" text NOT NULL,
	"library_name" text NOT NULL,
	"collections" text[],
	"collection_names" text[] DEFAULT '{}' NOT NULL,
	"read_collections" text[],
	"with_subcollections" boolean NOT NULL,
	"with_pdfs" boolean NOT NULL,
	"with_tags" boolean NOT NULL,
	"synchronize" text NOT NULL,
	"version" integer,
	"next_sync_at" timestamp with time zone,
	"last_synced_at" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "zotero_libraries_one" UNIQUE("project_id","server","library"),
	CONSTRAINT "zotero_libraries_project" UNIQUE("id","project_id")
);
--> statement-breakpoint
ALTER TABLE "zotero_connections" ADD CONSTRAINT "zotero_connections_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zotero_items" ADD CONSTRAINT "zotero_items_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zotero_items" ADD CONSTRAINT "zotero_items_library_fk" FOREIGN KEY ("zotero_library_id","project_id") REFERENCES "public"."zotero_libraries"("id","project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zotero_libraries" ADD CONSTRAINT "zotero_libraries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zotero_libraries" ADD CONSTRAINT "zotero_libraries_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "zotero_items_document" ON "zotero_items" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "zotero_items_file" ON "zotero_items" USING btree ("zotero_library_id","file");--> statement-breakpoint
CREATE INDEX "zotero_libraries_due" ON "zotero_libraries" USING btree ("next_sync_at");--> statement-breakpoint
CREATE INDEX "zotero_libraries_user" ON "zotero_libraries" USING btree ("created_by");