import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pdfjsAssets } from './vite-pdfjs-assets.ts'
import { preloadFonts } from './vite-preload-fonts.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The server that `npm run dev` starts beside Vite. It answers all requests except those for the web app. */
const server = process.env['LECTERN_SERVER'] ?? 'http://127.0.0.1:3000'

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
    pdfjsAssets(),
    preloadFonts(),
  ],
  // The strict Content-Security-Policy forbids data: scripts and inline fonts, so every asset is a file.
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: {
      // Only stylesheets and the entry have side effects. So the bundler includes from the door of a room only the parts
      // that a screen uses, and each route is a separate chunk.
      treeshake: {
        moduleSideEffects: (id) => !/\/(web|shared)\/.*\.tsx?(\?|$)/.test(id) || id.endsWith('/web/main.tsx'),
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/auth/v1': server, '/functions': server, '/files': server } },
})
