// Builds the console into built/, which the gateway serves and the repository keeps: `npm run console`, with the same bytes on every machine.
// Everything comes from the gateway's origin: no inline scripts or styles.

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

// KaTeX has each font in three formats. Every browser that the console supports takes the first.
const onlyNewestFonts: Plugin = {
  name: 'only-newest-fonts',
  enforce: 'pre',
  transform: {
    filter: { id: /katex[^/]*\.css$/ },
    handler: (css) => css.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, ''),
  },
}

export default defineConfig(({ command }) => {
  // The environment may say otherwise, and React would then be built for development.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [react(), tailwind(), stylesAfterFirstPaint, onlyNewestFonts],
    build: {
      outDir: 'built',
      // Browsers since 2024 support light-dark(), :has() and <dialog>.
      target: ['chrome123', 'firefox128', 'safari17.5'],
      modulePreload: { polyfill: false },
      // The content security policy blocks data: fonts and scripts.
      assetsInlineLimit: 0,
      // One small file. A style sheet of a page that failed to load once would not be requested again.
      cssCodeSplit: false,
    },
    server: { proxy: { '/api': GATEWAY, '/openai': GATEWAY } },
  }
})
