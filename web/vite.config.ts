import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = import.meta.dirname;

/** Static files of the web chat, which `candor serve` gives out. `vite` alone serves them anew at every change. */
export default defineConfig({
  root: here,
  // The page lies at `/`, and at `/w/<name>/` for each other workspace.
  base: './',
  plugins: [react()],
  build: {
    outDir: join(here, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // What the page needs at first is named by it; `bench/web.ts` reads that from the manifest.
    manifest: 'manifest.json',
    rollupOptions: {
      input: { page: join(here, 'index.html'), element: join(here, 'src/element.tsx') },
      output: {
        // Pages of others name the element by this path.
        entryFileNames: ({ name }) => (name === 'element' ? 'candor-chat.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8713', '/ready': 'http://127.0.0.1:8713' } },
});
