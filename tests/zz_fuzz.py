import json, random, secrets
import pytest
from django.test import Client
from games.hall import commands, event_api, event_links
from games.hall.models import Event, Helper, Player
from games.web import limits
from tests.hall.halls import ANNA, begun, opened, state, play_round, by_chance
from tests.hall import team_events
pytestmark=pytest.mark.django_db
@pytest.fixture(autouse=True)
def _t(monkeypatch):
    for l in vars(limits).values():
        if isinstance(l,limits.Limit): monkeypatch.setattr(l,"credit",1e9)
BAD=[None,"",0,-1,1,3,10**9,10**14,-10**14,1.5,float("inf") ,True,[],{}, [[]],[["p1","p2"]],[["p1"]],[["p1","p2","p3"]],{"a":1},"x"*41,"p1","p2","1-1","1-2","t1","\u0000","‮abc","é"*50,"2026-13-45","9999-12-31T23:59:59+00:00","0001-01-01T00:00","2026-12-05T19:00", ["a","b","c"],{"p1":{"vp":5},"p2":{"vp":3}},{"p1":{"vp":"5"}},{"p1":{"vp":-1000}},{"p1":5},"loss","bye","judge","organiser","scorekeeper","all","a-game-of-thrones","💥"*20, "finished","time","left","all-lost"]
MEM=["player","other","pairing","name","club","faction","role","mode","how","here","number","note","text","lists","groups","scores","winner","settings","team","division"]
def evs():
    yield begun(5)
    c=opened(6,mode="manual-scoring"); play_round(c,by_chance(1)); commands.pair(c,ANNA); yield c
    yield begun(4,kind="knock-out")
    yield begun(6,kind="round-robin",days=7)
    yield opened(5,kind="ladder",days=7,mode="manual-scoring")
    c=opened(7,system="agot",size=6,houses="bid",mode=""); commands.pair(c,ANNA); commands.open_round(c,ANNA); yield c
    yield team_events.begun(3,3)
    c=opened(4,mode="manual-scoring",length=1); play_round(c,by_chance(1)); commands.finish(c,ANNA); yield c
SETT=["name","system","mode","options","kind","size","least","houses","length","cut","minutes","overtime","no_show","days","reach","scoring","divisions","is_rated","team_size","team_tables","team_scale","team_cap","team_margin","criteria","bye","places","zone","third","annuls","legs","first_table","tables","mix","apart","is_open","is_listed","status","seed","columns","bogus"]
@pytest.mark.parametrize("seed",range(3))
def test_fuzz(seed):
    rnd=random.Random(seed); n=0; seen={}
    c=Client(raise_request_exception=False)
    for code in evs():
        ev=Event.objects.get(code=code); h=Helper.objects.select_related("event").get(pk=commands.appoint(code,ANNA,"organiser","Nora").made)
        toks=[event_links.secret(h)]+[event_links.secret(Player.objects.select_related("event").filter(event=ev).first())]
        for action in list(event_api.COMMANDS)+["nonsense"]:
            for k in range(14):
                body={"action":action,"key":secrets.token_hex(10)}
                g=state(code)
                for m in rnd.sample(MEM,rnd.randint(0,5)):
                    body[m]=rnd.choice(BAD)
                # plausible ones
                for m in ("player","other"):
                    if rnd.random()<.5 and g.players: body[m]=rnd.choice(list(g.players))
                if rnd.random()<.5 and g.pairings: body["pairing"]=rnd.choice(list(g.pairings))
                if rnd.random()<.2 and g.team_matches: body["pairing"]=rnd.choice(list(g.team_matches))
                if rnd.random()<.2 and g.teams: body["team"]=rnd.choice(list(g.teams))
                if action=="settings" : body["settings"]={rnd.choice(SETT):rnd.choice(BAD) for _ in range(rnd.randint(1,3))}
                if action=="options": body["settings"]={rnd.choice(["scenario","a"]):rnd.choice(BAD)}
                if action in("finish","dismiss") and rnd.random()<.9: continue
                try: raw=json.dumps(body)
                except ValueError: continue
                r=c.post(f"/api/events/{code}/do",raw,content_type="application/json",headers={"Authorization":"Bearer "+rnd.choice(toks) if rnd.random()<.97 else "Bearer x"})
                n+=1
                if r.status_code>=500: seen.setdefault((action,r.status_code),(body,r.content[:200]))
                elif r.status_code>=400:
                    try: assert r.json()["error"] if "error" in r.json() else r.json()
                    except Exception as e: seen.setdefault((action,"form"),(body,r.content[:200]))
            for path in ("","organise/","organise/pairings","organise/players","standings","tv","wall"):
                pass
        ph=Client(raise_request_exception=False)
        for path in ("","/standings","/tv","/print/standings","/print/round/1","/overlay?table=1","/scores"):
            r=ph.get(f"/e/{code}{path or '/'}"); 
            if r.status_code>=500: seen[("page",path)]=(code,r.content[:300])
        r=c.get(f"/api/events/{code}"); assert r.status_code==200
    print(n)
    for k,v in seen.items(): print(k,v)
    assert not seen
def test_opening():
    rnd=random.Random(1); c=Client(raise_request_exception=False); bad={}
    for k in range(400):
        body={"system":rnd.choice(["tmg","agot","bushido","x",None,5]),"settings":{rnd.choice(SETT):rnd.choice(BAD) for _ in range(rnd.randint(0,3))}}
        if rnd.random()<.3: body["organiser"]=rnd.choice(BAD)
        if rnd.random()<.3: body["key"]=rnd.choice(BAD)
        try: raw=json.dumps(body)
        except ValueError: continue
        r=c.post("/api/events",raw,content_type="application/json")
        if r.status_code>=500: bad[str(body)]=r.content[:200]
        elif r.status_code==201:
            code=r.json()["code"]; 
            for p in ("","standings","tv"):
                q=c.get(f"/e/{code}/{p}")
                if q.status_code>=500: bad[str(body)+p]=q.content[:200]
    for k,v in bad.items(): print(k,v)
    assert not bad
