import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { officeOf } from '#tests/e2e/clinic.ts'
import { stockOf } from '#tests/e2e/count-room.ts'
import { FieldTablet } from '#tests/faults/field-tablet.ts'
import { noFigures, type Figures } from '#tests/faults/figures.ts'
import { findFaults, type ServerBooks } from '#tests/faults/oracle.ts'
import type { RoundPlan } from '#tests/faults/plan.ts'
import { Round } from '#tests/faults/round.ts'
import { startLorgnette, type LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { startPostgres, type PostgresServer } from '#tests/support/postgres-server.ts'

export type Engine = 'pglite' | 'postgres'

/** The lifetime of access tokens, s: they expire within most acts. */
const tokenSeconds = '3'

export type Lab = {
  /** Plays one plan to its end. Returns every fault as a sentence. */
  play(plan: RoundPlan): Promise<string[]>
  /** The events of this round so far, line by line, and the end of the server's log. */
  story(): string
  figures: Figures
  close(): Promise<void>
}

export async function openLab(engine: Engine, template: string): Promise<Lab> {
  const postgres = engine === 'postgres' ? await startPostgres() : null
  const server = await startLorgnette({
    ...(engine === 'pglite' && { template }),
    env: { ACCESS_TOKEN_SECONDS: tokenSeconds, ...(postgres && { DATABASE_URL: postgres.url }) },
  })
  const room = new FaultRoom(server, postgres)
  await room.furnish()
  return room
}

class FaultRoom implements Lab {
  readonly figures: Figures = { ...noFigures }
  #server: LorgnetteServer
  #postgres: PostgresServer | null
  #tablets: FieldTablet[] = []
  #labels: string[] = []
  #story: string[] = []
  #began = Date.now()

  constructor(server: LorgnetteServer, postgres: PostgresServer | null) {
    this.#server = server
    this.#postgres = postgres
  }

  #tell = (text: string) => {
    this.#story.push(`${((Date.now() - this.#began) / 1000).toFixed(1).padStart(6)} s  ${text}`)
  }

  async furnish(): Promise<void> {
    const { expected } = await stockOf(await officeOf(this.#server))
    this.#labels = expected.map(({ sku }) => sku)
    this.#tablets = await Promise.all([
      FieldTablet.open('A', this.#server, 'ben', this.#tell),
      FieldTablet.open('B', this.#server, 'maya', this.#tell),
    ])
    await Promise.all(this.#tablets.map((tablet) => tablet.settleIn(expected.length)))
  }

  story(): string {
    return `${this.#story.join('\n')}\n${this.#server.log().slice(-3000)}`
  }

  async play(plan: RoundPlan): Promise<string[]> {
    this.#began = Date.now()
    this.#story = []
    const round = new Round(plan, this.#server, this.#tablets, this.#labels, this.#tell, this.figures)
    await round.prepare()
    await round.storm()
    await round.heal()
    const evidence = await round.gather(() => this.#readServer(round))
    const faults = findFaults(evidence)
    const { figures } = this
    figures.rounds += 1
    figures.faults += faults.length
    figures.scans += evidence.server.scans.filter(({ negates }) => negates === null).length
    figures.punches += evidence.server.punches.length
    figures.commands += round.receivedInRound(evidence)
    const told = (word: string) => evidence.tablets.flatMap(({ said }) => said.filter((one) => one.word === word)).length
    figures.toldSaved += told('Saved')
    figures.toldSent += told('Sent')
    figures.setAside += evidence.tablets.flatMap(({ outbox }) => outbox).length
    figures.pageErrors = this.#tablets.flatMap(({ pageErrors }) => pageErrors).length
    return faults
  }

  /** Reads the tables from the disk after one more SIGKILL. */
  async #readServer(round: Round): Promise<ServerBooks> {
    await this.#server.kill()
    this.figures.serverKills += 1
    const source = databaseSource({ databaseUrl: this.#postgres?.url ?? null, dataFolder: this.#server.dataFolder })
    const database = await openDatabase(source)
    try {
      return await round.readTables(database.pool)
    } finally {
      await database.close()
      await this.#server.start()
    }
  }

  async close(): Promise<void> {
    for (const tablet of this.#tablets) await tablet.close()
    await this.#server.remove()
    await this.#postgres?.stop()
  }
}
