// Draws the PNG icons of public/icons from lorgnette.svg with the system's Chromium. Run by hand when the mark changes;
// the results are committed, so that no build needs a browser.
import fs from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'

const folder = path.resolve(import.meta.dirname, '../public/icons')
const drawing = fs.readFileSync(path.join(folder, 'lorgnette.svg'), 'utf8')

// A maskable icon fills its square; its essential part is in the inner 80 %.
const bleed = drawing
  .replace('rx="104"', '')
  .replace('<g id="mark"', '<g id="mark" transform="translate(256 256) scale(0.72) translate(-256 -270)"')

const icons = [
  { name: 'icon-192.png', size: 192, svg: drawing },
  { name: 'icon-512.png', size: 512, svg: drawing },
  { name: 'maskable-192.png', size: 192, svg: bleed },
  { name: 'maskable-512.png', size: 512, svg: bleed },
  { name: 'apple-touch-icon.png', size: 180, svg: bleed },
]

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const page = await browser.newPage()
  for (const { name, size, svg } of icons) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
    await page.screenshot({ path: path.join(folder, name), omitBackground: true })
    console.log(`${name} ${size}x${size}`)
  }
} finally {
  await browser.close()
}
