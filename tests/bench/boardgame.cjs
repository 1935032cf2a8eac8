/* The same case with boardgame.io, for comparison: `boardgame.cjs serve PORT`, or `play PORT TABLES MOVES` with both
   players of each table listening. A match lives in the server's memory; its one rule marks a unit. */
const UNITS = 24;
const game = {
  name: "units",
  setup: () => ({ units: Array.from({ length: UNITS }, (_, n) => ({ name: `Unit ${n}`, wounds: 0, left: 12, done: 0 })) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { activate: ({ G }, unit) => void (G.units[unit].done += 1) },
};
const [what, port, tables, moves] = process.argv.slice(2);

const serve = () => {
  const { Server } = require("boardgame.io/server");
  Server({ games: [game], origins: [/localhost/] }).run(Number(port));
};

const table = async (matchID) => {
  const { Client } = require("boardgame.io/client");
  const { SocketIO } = require("boardgame.io/multiplayer");
  const multiplayer = SocketIO({ server: `http://localhost:${port}` });
  const clients = ["0", "1"].map((playerID) => Client({ game, matchID, playerID, debug: false, multiplayer }));
  clients.forEach((client) => client.start());
  const both = async (turn) => {
    while (!clients.every((client) => client.getState()?.ctx.turn >= turn)) await new Promise((go) => setTimeout(go, 1));
  };
  await both(1);
  return { clients, both };
};

const play = async () => {
  const all = [];
  for (let n = 0; n < tables; n++) all.push(await table(`table ${n}`));
  process.stdout.write("ready\n");
  await new Promise((go) => process.stdin.once("data", go));
  for (let move = 0; move < moves; move++) {
    for (const { clients, both } of all) {
      clients[move % 2].moves.activate(move % UNITS);
      await both(move + 2);
    }
  }
  process.stdout.write("done\n");
  process.exit();
};

({ serve, play })[what]();
