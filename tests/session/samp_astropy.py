# SPDX-License-Identifier: GPL-3.0-or-later
"""A hub and a client of astropy.samp for tst_samp_astropy; received data go to standard output.

samp_astropy.py TABLE: replies to a received table by sending the VOTable TABLE."""
import sys, warnings
warnings.simplefilter("ignore")
from astropy.samp import SAMPHubServer, SAMPIntegratedClient
from astropy.table import Table

hub = SAMPHubServer(web_profile=False)
hub.start()
client = SAMPIntegratedClient(name="astropy")
client.connect()

def load(key, sender, message_id, mtype, parameters, extra):
    table = Table.read(parameters["url"], format="votable")
    print("read", len(table), *table.colnames, flush=True)
    client.reply(message_id, {"samp.status": "samp.ok", "samp.result": {}})
    client.notify_all({"samp.mtype": "table.highlight.row",
                       "samp.params": {"table-id": parameters["table-id"], "row": "4"}})
    answers = client.call_and_wait(sender, {"samp.mtype": "table.load.votable", "samp.params": {
        "url": "file://" + sys.argv[1], "table-id": "mine", "name": "of astropy"}}, "60")
    print("answer", answers["samp.status"], flush=True)

def point(key, sender, mtype, parameters, extra):
    print("place", parameters["ra"], parameters["dec"], flush=True)

client.bind_receive_call("table.load.votable", load)
client.bind_receive_notification("coord.pointAt.sky", point)
sys.stdin.read()
