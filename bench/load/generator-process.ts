import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { JobName, Jobs, Told } from './generator-jobs.ts'

/** The tablets in their own process, which separates their cost from the server's. */
export class GeneratorProcess {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, 'generator.ts'), { execArgv: ['--import', 'tsx'], stdio: 'inherit' })
  }

  /** Runs one job at a time. @throws the job's own error */
  async ask<K extends JobName>(job: K, asked: Jobs[K]['asked']): Promise<Jobs[K]['answer']> {
    const told = await new Promise<Told>((resolve, reject) => {
      const ended = () => reject(new Error(`The generator ended while it was to ${job}`))
      this.#child.once('exit', ended)
      this.#child.once('message', (answer: Told) => {
        this.#child.removeListener('exit', ended)
        resolve(answer)
      })
      this.#child.send({ job, asked })
    })
    if (!told.ok) throw new Error(`The generator could not ${job}: ${told.error}`)
    return told.answer as Jobs[K]['answer']
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }
}
