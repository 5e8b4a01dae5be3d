import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { appIcons } from './vite-app-icons.ts'
import { leanSchemas } from './vite-lean-schemas.ts'
import { pdfjsAssets } from './vite-pdfjs-assets.ts'
import { preloadFonts } from './vite-preload-fonts.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Address of the server that `npm run dev` starts beside Vite. Vite forwards all requests to it except requests for the web
 * app.
 */
const server = process.env['LECTERN_SERVER'] ?? 'http://127.0.0.1:3000'

/**
 * Returns the name of the room (folder of web) of a module, or null. Also null for the room 'reader', so that its large parts,
 * which load pdf.js, are not in the same chunk as its door (index.ts).
 */
const roomOf = (id: string) => /[\\/]web[\\/](?!reader|routes)([a-z]+)[\\/]/.exec(id)?.[1] ?? null

/** Matches the modules of the first screens, and the modules of the library Radix that nearly all other screens use. */
const BASIC =
  /[\\/](lucide-react|@radix-ui[\\/](primitive|react-(collection|roving-focus|presence|use-[\w-]+|context|primitive|id|direction|tabs|slot|compose-refs|visually-hidden))|shared[\\/]contract[\\/](trash|invitations)|web[\\/](auth(?![\\/]proof-host)|trash|ui[\\/](field|tabs|empty-state|paper-marks|navigation|page-link)|lib[\\/](when-done|load-failed|mount-once|rights)|projects[\\/](back-to-projects|queries|project-gate)))\b/

/**
 * Matches the modules of the frame of a project's screens, and the contract and queries that the overview, the list and the
 * page of a paper use.
 */
const PAPERS =
  /[\\/](shared[\\/]contract[\\/](document(s|-list|-files)|doi|recommendations|duplicates)|web[\\/](lib[\\/](document-queries|failure-words|reference-types)|documents[\\/](queries|delete-documents|last-list|document-failure)|evidence[\\/]lost-count|duplicates[\\/]queries|processing[\\/]bulk-runs|lib[\\/]use-rested-words|routes[\\/]\$projectName\.tsx))\b/

/** Matches the modules that the page of a paper and its forms use, and few other screens. */
const PAPER =
  /[\\/](shared[\\/](references[\\/](names|columns)|contract[\\/](document-edits|citations|exports))|web[\\/](lib[\\/](update-document|copy-text|date-text)|processing[\\/](document-work|edited-fields)|documents[\\/](document-page|document\.module|edit-values|reference-(values|fields))|duplicates[\\/]duplicates\.module|lookup[\\/]lookup\.module|citations[\\/](queries|last-used)))\b/

export default defineConfig({
  root: at('web'),
  publicDir: at('web/public'),
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: at('web/routes'),
      generatedRouteTree: at('web/routeTree.gen.ts'),
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    tailwind(),
    leanSchemas(),
    pdfjsAssets(),
    preloadFonts(),
    appIcons(),
  ],
  // The strict Content-Security-Policy forbids data: scripts and inline fonts, so every asset is a file.
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    // The entry has one file, because every screen needs all of it.
    chunkSizeWarningLimit: 640,
    rolldownOptions: {
      // Only stylesheets and the entry have side effects. So the bundler includes from the door of a room only the parts
      // that a screen uses, and each route is a separate chunk.
      treeshake: {
        moduleSideEffects: (id) => !/\/(web|shared)\/.*\.tsx?(\?|$)/.test(id) || id.endsWith('/web/main.tsx'),
      },
      output: {
        // Without groups, every module that two screens share is a file, and a first visit requests 80 of them.
        // The reader alone loads pdf.js.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            { name: 'forms', test: /node_modules[\\/](react-hook-form|@hookform)[\\/]/ },
            // The parts of the design system that the sign-in and the projects use, then those of lists and dialogs.
            { name: 'ui', test: BASIC, minShareCount: 2 },
            // The screens of a project have these.
            { name: 'papers', test: PAPERS },
            {
              name: 'controls',
              test: /[\\/](@radix-ui[\\/](?!react-(popper|tooltip|(alert-)?dialog|focus-guards))|lucide-react|web[\\/](ui[\\/](?!tooltip|(alert-)?dialog)|processing[\\/](job-strip|text-warning)|reader[\\/](lazy-reader|use-reader-entry)))/,
              minShareCount: 2,
            },
            // The positions of menus, lists and tooltips. A screen without tooltips loads them when the first one opens.
            {
              name: 'floating',
              test: /[\\/](@floating-ui|@radix-ui[\\/]react-(popper|tooltip)|web[\\/]ui[\\/]tooltip)\b/,
              minShareCount: 2,
            },
            // Most dialogs load when they are first opened.
            { name: 'dialogs', test: /[\\/]web[\\/]ui[\\/](alert-)?dialog/, minShareCount: 2 },
            // The page of a paper, whose forms share most of it.
            { name: 'paper', test: PAPER, minShareCount: 2 },
            // All that the list of documents needs, so that it is one request. Other screens share parts of it.
            { name: 'list', test: /[\\/]routes[\\/]\$projectName[\\/]documents\.tsx\?tsr-split/ },
            // The rooms whose shared parts are too small for a request of their own.
            {
              name: 'parts',
              test: /[\\/](web[\\/](lib|analysis|auth|drive|imports|processing|trash)|shared[\\/]contract)[\\/]/,
              minShareCount: 2,
            },
            { name: roomOf, debugName: 'rooms', minShareCount: 2 },
          ],
        },
        // Rolldown would name a shared file by all screens that use it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]!}-[hash].js`,
        assetFileNames: ({ names }) =>
          `assets/${names[0]?.includes('~') ? 'shared-[hash][extname]' : '[name]-[hash][extname]'}`,
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/auth/v1': server, '/functions': server, '/files': server } },
})
