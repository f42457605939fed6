import { describe, expect, test } from 'vitest'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { headingOn } from '#tests/e2e/accessibility/stage.ts'
import { people, signIn, until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { keptOn } from '#tests/e2e/screen.ts'

const t = e2eTablet({ hasMouse: true })

describe('by keyboard alone', () => {
  const focused = () =>
    t.page.evaluate(() => {
      const element = document.activeElement
      if (!element) return ''
      const label = element.id ? document.querySelector(`label[for="${CSS.escape(element.id)}"]`)?.textContent : null
      return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
    })
  /** Presses Tab until the focus is on the element with this name. Every element on the way must show its focus. */
  async function tabTo(name: string | RegExp, most = 60) {
    const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
    const passed: string[] = []
    for (let step = 0; step < most; step++) {
      await t.page.keyboard.press('Tab')
      const at = await focused()
      passed.push(at.slice(0, 40))
      const ring = await t.page.evaluate(() => {
        const element = document.activeElement
        return element && element !== document.body ? getComputedStyle(element).outlineStyle !== 'none' : true
      })
      if (!ring) throw new Error(`${at} does not show that it has the focus`)
      if (fits(at)) return
    }
    throw new Error(`Tab never came to ${String(name)}; it passed ${passed.join(' | ')}`)
  }

  test('a user signs in, opens a count, types a tag, and undoes it', async () => {
    await t.page.goto(`${t.server.origin}/login`)
    await t.page.getByRole('form', { name: 'Login', exact: true }).waitFor()
    await tabTo('Email or username')
    await t.page.keyboard.type('ben')
    await tabTo('Password')
    await t.page.keyboard.type(people.ben.password)
    await t.page.keyboard.press('Enter')
    await t.page.waitForURL((url) => url.pathname === '/')
    await headingOn(t.page, 'Today').waitFor()

    await t.page.getByRole('link', { name: /Count #3/ }).waitFor()
    await tabTo('Skip to content', 3)
    await t.page.keyboard.press('Enter')
    await tabTo(/^Count #3/)
    await t.page.keyboard.press('Enter')
    await t.page.getByRole('tab', { name: /^To find \([1-9]/ }).waitFor()

    const row = await t.page
      .getByLabel('Frames to find')
      .getByText(/^DT-\d+/)
      .first()
      .innerText()
    const sku = /DT-\d+/.exec(row)?.[0] ?? ''
    // The field appears a moment after the count.
    await t.page.getByLabel('Last 4 of the tag').waitFor()
    await tabTo('Last 4 of the tag')
    // Type at the pace of a person: faster keys come from a scanner, and a busy machine mixes the two.
    await t.page.keyboard.type(sku, { delay: 150 })
    await t.page.keyboard.press('Enter')
    const last = t.page.getByRole('region', { name: 'Last scan' })
    await last.getByText(sku).waitFor()
    const scans = async () =>
      [...(await keptOn<OutboxCommand>(t.page, 'outbox')), ...(await keptOn<{ kind?: string }>(t.page, 'settled'))].length
    await until(scans, (number) => number === 1, 'The scan is saved')

    await t.page.keyboard.press('Escape')
    await tabTo('Undo last', 120)
    await t.page.keyboard.press('Enter')
    await until(scans, (number) => number === 2, 'The undo is saved')
    await last.getByText('Undone', { exact: true }).waitFor()
  })

  test('a dialog keeps the focus, closes on Escape and gives the focus back', async () => {
    await signIn(t.page, t.server, 'maya')
    await headingOn(t.page, 'Today').waitFor()
    await tabTo('Frame lookup')
    await t.page.keyboard.press('Enter')
    const dialog = t.page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
    await dialog.getByLabel('Serial / F#').waitFor()
    await until(focused, (name) => name.startsWith('Serial / F#'), 'The field has the focus')
    for (let step = 0; step < 12; step++) {
      await t.page.keyboard.press('Tab')
      expect(await t.page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    }
    await t.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await until(focused, (name) => name === 'Frame lookup', 'The button has the focus again')
  })

  test('the arrow keys move between tabs', async () => {
    await t.page.goto(`${t.server.origin}/sync`)
    await t.page.getByRole('tab', { name: /^Waiting/ }).focus()
    for (const name of [/^Needs attention/, /^Receipts/, /^This device/, /^Waiting/]) {
      await t.page.keyboard.press('ArrowRight')
      await t.page.getByRole('tab', { name, selected: true }).waitFor()
      await until(focused, (text) => name.test(text), 'The chosen tab has the focus')
    }
  })

  test('a form error appears at its field, and a screen reader reads it', async () => {
    await t.page.goto(`${t.server.origin}/login`)
    await t.page.getByRole('form', { name: 'Login', exact: true }).waitFor()
    await tabTo('Email or username')
    await t.page.keyboard.press('Enter')
    const field = t.page.getByRole('form', { name: 'Login', exact: true }).getByLabel('Email or username')
    await t.page.getByText('Email or username is required').waitFor()
    const described = (await field.getAttribute('aria-describedby')) ?? ''
    expect(await t.page.locator(`[id="${described}"]`).textContent()).toBe('Email or username is required')
    expect(await t.page.locator(`[id="${described}"]`).getAttribute('role')).toBe('alert')
  })
})

test('a user who asked for less motion gets none', async () => {
  await t.page.goto(`${t.server.origin}/login`)
  await t.page.getByRole('form', { name: 'Login', exact: true }).waitFor()
  const durations = await t.page.evaluate(() =>
    [...document.querySelectorAll('*')].map((element) => Number.parseFloat(getComputedStyle(element).transitionDuration)),
  )
  expect(Math.max(...durations)).toBeLessThan(0.01)
  // With a short transition on every element, the new theme would reach one more element in each frame. A keyframe
  // animation may still be listed until the next frame: it counts only when it takes time.
  const moving = await t.page.evaluate(() => {
    document.documentElement.dataset['theme'] = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'
    return document
      .getAnimations()
      .filter((one) => one instanceof CSSTransition || Number(one.effect?.getComputedTiming().endTime) > 1)
      .map((one) => (one instanceof CSSAnimation ? one.animationName : String(one.id)))
  })
  expect(moving).toEqual([])
})
