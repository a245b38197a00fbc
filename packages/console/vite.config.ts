// Builds the console into dist/, which the gateway serves. Everything comes from the gateway's origin: no inline scripts or styles.

import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const GATEWAY = 'http://localhost:8080'

// Browsers paint nothing before the style sheets in the head have arrived. Below the first paint, they only hold back the console itself.
const stylesAfterFirstPaint: Plugin = {
  name: 'styles-after-first-paint',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const built = html.match(/ *<link rel="stylesheet"[^>]*href="\/assets\/[^>]*>\n/g) ?? []
      const rest = built.reduce((page, link) => page.replace(link, ''), html)
      return rest.replace('  </body>', `${built.join('')}  </body>`)
    },
  },
}

export default defineConfig({
  plugins: [react(), tailwind(), stylesAfterFirstPaint],
  build: {
    // Browsers since 2024 support light-dark(), :has() and <dialog>.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The content security policy blocks data: fonts and scripts.
    assetsInlineLimit: 0,
    // One small file. A style sheet of a page that failed to load once would not be requested again.
    cssCodeSplit: false,
  },
  server: { proxy: { '/api': GATEWAY, '/openai': GATEWAY } },
})
