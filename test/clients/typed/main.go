// Reads every list of the API into types written from its specification, and prints how many records each has.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

type Account struct {
	Parent int    `json:"parent"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Count  int    `json:"count"`
}

type Address struct {
	Address       string `json:"address"`
	Type          string `json:"type"`
	Status        string `json:"status"`
	Suppressup    bool   `json:"suppressup"`
	Suppressdown  bool   `json:"suppressdown"`
	Suppressfirst bool   `json:"suppressfirst"`
	Suppressall   bool   `json:"suppressall"`
}

type Contact struct {
	ID         string             `json:"_id"`
	Type       string             `json:"type"`
	CustomerID string             `json:"customer_id"`
	Name       string             `json:"name"`
	Custrole   string             `json:"custrole"`
	Addresses  map[string]Address `json:"addresses"`
}

type Group struct {
	ID         string   `json:"_id"`
	Type       string   `json:"type"`
	CustomerID string   `json:"customer_id"`
	Name       string   `json:"name"`
	Members    []string `json:"members"`
}

// Exclude is 0 or 1; a legacy token shows it as it was sent.
type Exclude int

func (e *Exclude) UnmarshalJSON(text []byte) error {
	if os.Getenv("MODE") == "legacy" && (string(text) == "false" || string(text) == "true") {
		return nil
	}
	return json.Unmarshal(text, (*int)(e))
}

type Day struct {
	Time1   string  `json:"time1"`
	Time2   string  `json:"time2"`
	Exclude Exclude `json:"exclude"`
}

type Profile struct {
	ID            string `json:"_id"`
	Type          string `json:"type"`
	CustomerID    string `json:"customer_id"`
	Name          string `json:"name"`
	Notifications []map[string]struct {
		Schedule string `json:"schedule"`
		Delay    int    `json:"delay"`
	} `json:"notifications"`
}

// FirstDown is false, or when the check went down in ms.
type FirstDown int64

func (f *FirstDown) UnmarshalJSON(text []byte) error {
	if string(text) == "false" {
		*f = 0
		return nil
	}
	return json.Unmarshal(text, (*int64)(f))
}

type Parameters struct {
	Target string `json:"target"`
	// Numbers, or their text.
	Threshold   json.Number `json:"threshold"`
	Sens        json.Number `json:"sens"`
	Port        int         `json:"port"`
	Statuscode  int         `json:"statuscode"`
	Warningdays int         `json:"warningdays"`
	Follow      bool        `json:"follow"`
}

type Check struct {
	ID            string                       `json:"_id"`
	Rev           string                       `json:"_rev"`
	CustomerID    string                       `json:"customer_id"`
	Label         string                       `json:"label"`
	Type          string                       `json:"type"`
	Interval      int                          `json:"interval"`
	Notifications []map[string]json.RawMessage `json:"notifications"`
	Status        string                       `json:"status"`
	Modified      int64                        `json:"modified"`
	Created       int64                        `json:"created"`
	Enable        string                       `json:"enable"`
	Public        bool                         `json:"public"`
	Parameters    Parameters                   `json:"parameters"`
	Queue         string                       `json:"queue"`
	UUID          string                       `json:"uuid"`
	State         int                          `json:"state"`
	Firstdown     FirstDown                    `json:"firstdown"`
}

type Result struct {
	ID string                     `json:"_id"`
	Ci string                     `json:"ci"`
	T  string                     `json:"t"`
	Tg string                     `json:"tg"`
	Th string                     `json:"th"`
	I  string                     `json:"i"`
	Ra string                     `json:"ra"`
	Q  string                     `json:"q"`
	S  int64                      `json:"s"`
	Sc string                     `json:"sc"`
	M  string                     `json:"m"`
	Su bool                       `json:"su"`
	Rt int                        `json:"rt"`
	E  int64                      `json:"e"`
	L  map[string]json.RawMessage `json:"l"`
}

type Uptime struct {
	Enabled int64   `json:"enabled"`
	Down    int64   `json:"down"`
	Uptime  float64 `json:"uptime"`
}

type Event struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	T     int64  `json:"t"`
}

func read(path string, into any) {
	request, err := http.NewRequest("GET", os.Getenv("API")+"/"+path, nil)
	fail(path, err)
	request.SetBasicAuth(os.Getenv("TOKEN"), "")
	response, err := http.DefaultClient.Do(request)
	fail(path, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	fail(path, err)
	if response.StatusCode != 200 {
		fail(path, fmt.Errorf("status %d: %s", response.StatusCode, text))
	}
	fail(path, json.Unmarshal(text, into))
}

func fail(path string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
		os.Exit(1)
	}
}

func main() {
	var accounts map[string]Account
	read("accounts", &accounts)
	var contacts map[string]Contact
	read("contacts", &contacts)
	var groups map[string]Group
	read("contactgroups", &groups)
	var schedules map[string]map[string]Day
	read("schedules", &schedules)
	var profiles map[string]Profile
	read("notificationprofiles", &profiles)
	var checks map[string]Check
	read("checks", &checks)
	var events map[string]Event
	read("results/current", &events)
	results := 0
	for id := range checks {
		var ofCheck []Result
		read("results/"+id+"?clean=true", &ofCheck)
		results += len(ofCheck)
		var uptime map[string]Uptime
		read("results/uptime/"+id, &uptime)
		var check Check
		read("checks/"+id, &check)
		if check.ID != id {
			fail("checks/"+id, fmt.Errorf("is %s", check.ID))
		}
	}
	var notifications []map[string]json.RawMessage
	read("notifications", &notifications)
	out, err := json.Marshal(map[string]int{
		"accounts": len(accounts), "contacts": len(contacts), "contactgroups": len(groups), "schedules": len(schedules),
		"notificationprofiles": len(profiles), "checks": len(checks), "events": len(events), "results": results,
		"notifications": len(notifications),
	})
	fail("counts", err)
	fmt.Println(string(out))
}
